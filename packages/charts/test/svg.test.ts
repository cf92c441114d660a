import { createMachine } from "xstate"
import { describe, expect, it } from "vitest"
import { charts, readChart } from "../src/index.js"
import { statesIn } from "../src/model/chart-model.js"
import { toSvg } from "../src/svg/index.js"
import { everything, hostile, parallelRoot, single } from "./machines.js"
import { overlapsIn, readPicture } from "./picture.js"

const long = "aVeryLongNameThatNobodyWouldEverGiveToAState".repeat(3)

/** Names that fit nowhere. */
const unwieldy = createMachine({
  id: "unwieldy",
  initial: long,
  states: {
    [long]: {
      on: { [long]: `${long}2`, "several words that go on and on and on and on": `${long}2` },
    },
    [`${long}2`]: { initial: "a", states: { a: { type: "final" } }, entry: [long, long] },
  },
})

const all = { everything, hostile, parallelRoot, single, unwieldy, ...charts }
const pictures = new Map(
  await Promise.all(
    Object.entries(all).map(async ([name, machine]) => [name, await toSvg(machine)] as const),
  ),
)
const pictureOf = (name: keyof typeof all): string => pictures.get(name) ?? ""

describe("toSvg", () => {
  it.each(Object.keys(all))("draws %s so that nothing covers anything", (name) => {
    expect(overlapsIn(pictures.get(name) ?? "")).toEqual([])
  })

  it("would be caught drawing a label on a line, a label on a box, or a text outside", () => {
    const svg = pictureOf("childProcess")
    const [label = "", x = "", y = ""] =
      /<g class="transition" data-transition="\w+"><text xml:space="preserve" x="([\d.]+)" y="([\d.]+)">/.exec(
        svg,
      ) ?? []
    const moved = (by: number) => svg.replace(label, label.replace(x, String(Number(x) + by)))
    const faults = [-20, -9_999].map((by) => overlapsIn(moved(by)).join("\n"))
    expect(faults[0]).toContain("a line crosses")
    expect(faults[1]).toContain("is outside the picture")
    const onBox = svg.replace(label, label.replace(`y="${y}"`, 'y="80"'))
    expect(overlapsIn(onBox).join("\n")).toMatch(/leaves|stands on/)
  })

  it.each(Object.entries(all))("draws every state and every transition of %s", (name, machine) => {
    const chart = readChart(machine)
    const picture = readPicture(pictures.get(name) ?? "")
    expect(picture.states).toHaveLength(statesIn(chart.root).length)
    const drawn = new Set(picture.transitions)
    for (const { id, targets } of chart.transitions) expect(drawn.has(id)).toBe(targets.length > 0)
  })

  it("gives transitions between the same two states one arrow, each with a label of its own", () => {
    const { arrows, transitions } = readPicture(pictureOf("negotiation"))
    expect(transitions.length - arrows).toBeGreaterThan(10)
    expect(new Set(transitions).size).toBe(transitions.length)
  })

  it("fits a page of 1,280 pixels, or is not much wider", () => {
    for (const name of Object.keys(charts)) {
      expect(readPicture(pictures.get(name) ?? "").width).toBeLessThan(1_600)
    }
  })

  it("shows what kind of state each is", () => {
    const states = new Map(
      readPicture(pictureOf("everything")).states.map((one) => [one.name, one]),
    )
    expect(states.get("gone")).toMatchObject({ boxes: 2 })
    expect(states.get("closed")).toMatchObject({ boxes: 1, isLeaf: true })
    expect(states.get("busy.bell")?.classes).toContain("region")
    expect(states.get("busy.memory.back")?.classes).toContain("history")
    expect(readPicture(pictureOf("everything")).starts).toBe(4)
  })

  it("shows guards, delays and actions", () => {
    const said = readPicture(pictureOf("everything"))
      .labels.map(({ what }) => what)
      .join(" ")
    expect(said).toContain("after patience")
    expect(said).toContain("[!canRetry(max=4)]")
    expect(said).toContain("/ note")
  })

  it("lights the states that are active, and no others", async () => {
    const svg = await toSvg(charts.connection, { active: new Set(["ready", "ready.legacy"]) })
    const lit = readPicture(svg).states.filter(({ classes }) => classes.endsWith(" lit"))
    expect(lit.map(({ name }) => name)).toEqual(["ready", "ready.legacy"])
  })

  it("gives the same bytes every time", async () => {
    expect(await toSvg(everything)).toBe(pictureOf("everything"))
    expect(await toSvg(charts.task)).toBe(pictureOf("task"))
  })

  it("has no script, no address, and no text smaller than 11 pixels", () => {
    for (const svg of pictures.values()) {
      const address = svg.replace('xmlns="http://www.w3.org/2000/svg"', "")
      expect(address).not.toMatch(/<script|https?:|href|url\((?!#\w+-head\))|@import|\son\w+=/)
      for (const [, size] of svg.matchAll(/font-size:([\d.]+)px/g)) {
        expect(Number(size)).toBeGreaterThanOrEqual(11)
      }
    }
  })

  it("grows to where it is told", async () => {
    const [down, right] = await Promise.all(
      (["DOWN", "RIGHT"] as const).map((direction) => toSvg(charts.childProcess, { direction })),
    )
    const shape = (svg = "") => readPicture(svg).width - readPicture(svg).height
    expect(shape(down)).toBeLessThan(0)
    expect(shape(right)).toBeGreaterThan(0)
  })
})
