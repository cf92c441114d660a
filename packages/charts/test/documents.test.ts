import { readdirSync, readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { chartDocuments } from "../../../scripts/charts/documents.mjs"
import { charts, readChart, statesIn, toMermaid } from "../src/index.js"
import { toSvg } from "../src/svg/index.js"
import { overlapsIn } from "./picture.js"

const folder = new URL("../../../docs/charts/", import.meta.url)
const documents = await chartDocuments({ charts, readChart, statesIn, toMermaid, toSvg })
const committed = (name: string): string => readFileSync(new URL(name, folder), "utf8")

describe("docs/charts", () => {
  it("has a page and a picture for every chart, and nothing else", () => {
    expect(readdirSync(folder).toSorted()).toEqual([...documents.keys()].toSorted())
  })

  it.each([...documents.keys()])("is up to date: %s", (name) => {
    const isUpToDate = committed(name) === documents.get(name)
    expect(isUpToDate, `docs/charts/${name} is not what the charts are now: pnpm charts`).toBe(true)
  })

  it("has pictures in which nothing covers anything", () => {
    for (const name of Object.keys(charts)) expect(overlapsIn(committed(`${name}.svg`))).toEqual([])
  })
})
