import { readFile } from "node:fs/promises"
import { createMachine } from "xstate"
import { describe, expect, it } from "vitest"
import { charts } from "../src/index.js"
import { faultsOf } from "./mermaid-grammar.js"
import { config, mermaid, picture, text } from "./readme-example.js"
import { readPicture } from "./picture.js"

const read = (path: string): Promise<string> => readFile(new URL(path, import.meta.url), "utf8")

describe("the README", () => {
  it("shows the example that runs here", async () => {
    const source = await read("./readme-example.ts")
    const [, region = ""] = /\/\/ #region example\n([^]*?)\/\/ #endregion/.exec(source) ?? []
    const shown = region
      .replace('"../src/index.js"', '"@entente/charts"')
      .replace('"../src/svg/index.js"', '"@entente/charts/svg"')
      .replaceAll("export const", "const")
    expect(shown).not.toBe("")
    expect(await read("../README.md")).toContain("```ts\n" + shown + "```")
  })

  it("whose example does what it says", () => {
    expect(text).toContain("▸ ready › legacy")
    expect(faultsOf(mermaid)).toEqual([])
    expect(createMachine(config).id).toBe("connection")
    const lit = readPicture(picture).states.filter(({ classes }) => classes.includes("lit"))
    expect(lit.map(({ name }) => name)).toEqual(["ready", "ready.legacy"])
  })

  it("shows the outline as it is", async () => {
    const [, shown = ""] = /```text\n([^]*?)```/.exec(await read("../README.md")) ?? []
    expect(shown).not.toBe("")
    expect(text).toContain(shown)
  })

  it("names every chart", async () => {
    const readme = await read("../README.md")
    for (const name of Object.keys(charts)) expect(readme).toContain(`\`${name}\``)
  })
})
