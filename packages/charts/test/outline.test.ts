import { setup } from "xstate"
import { describe, expect, it } from "vitest"
import { activeStates, charts, readChart, toOutline } from "../src/index.js"
import { everything, hostile } from "./machines.js"

const active = activeStates(readChart(charts.connection), ["ready.legacy"]) ?? new Set<string>()
const linesOf = (text: string): ReadonlyArray<string> => text.trimEnd().split("\n")

describe("toOutline", () => {
  it("writes a chart with where it is now", () => {
    expect(linesOf(toOutline(charts.connection, { active })).slice(0, 9)).toMatchInlineSnapshot(`
      [
        "connection",
        "▸ ready › legacy",
        "A connection to one server, from the first attempt to its end.",
        "close → closing",
        "· idle (begins here)",
        "  Nothing has happened yet.",
        "  open → opening",
        "  close → closed",
        "· opening",
      ]
    `)
  })

  it("marks the states that are active, and no others", () => {
    const marked = linesOf(toOutline(charts.connection, { active })).filter((line) =>
      line.includes("▸"),
    )
    expect(marked).toEqual(["▸ ready › legacy", "▸ ready", "  ▸ legacy"])
    expect(toOutline(charts.connection)).not.toContain("▸")
  })

  it.each([
    ["an event and its target", "shut → closed"],
    ["a guard", "always [isOpen] → open"],
    ["a delay", "after 250 ms → closed"],
    ["what a transition does", "handshake failed → closed / note"],
    ["what a state does", "entry / note, assign"],
    ["where a state begins", "· ajar (begins here)"],
    ["where it ends", "· wide (ends here)"],
    ["regions", "· busy (all regions at once)"],
    ["a history state", "· back (H*)"],
    ["a description", "Open, more or less."],
  ])("shows %s", (_, line) => {
    expect(linesOf(toOutline(everything)).map((one) => one.trim())).toContain(line)
  })

  it("shows what a transition means, where its author says so", () => {
    const machine = setup({}).createMachine({
      initial: "a",
      states: { a: { on: { go: { target: "b", description: "Off it goes." } } }, b: {} },
    })
    expect(toOutline(machine)).toContain("  go → b\n    Off it goes.\n")
  })

  it.each([20, 40, 72])("keeps to a terminal of %d columns as far as names allow", (width) => {
    for (const machine of [everything, charts.connection, charts.task]) {
      for (const line of linesOf(toOutline(machine, { width }))) {
        // Indentation may take what a narrow terminal has; then 20 columns of text remain.
        const indent = line.length - line.trimStart().length
        expect(line.length).toBeLessThanOrEqual(Math.max(width, indent + 22))
      }
    }
  })

  it("breaks no line where there is no terminal", () => {
    expect(toOutline(charts.connection, { width: Number.POSITIVE_INFINITY })).toContain(
      "verdictContradicted [isNewContradiction] → recovering.renegotiating / contradict",
    )
  })

  it("leaves colours to whoever has a terminal", () => {
    const painted = toOutline(everything, { paint: (part, text) => `<${part}>${text}</${part}>` })
    expect(painted).toContain("<event>shut</event> <target>→ closed</target>")
    expect(painted).toContain(
      "<event>always</event> <guard>[isOpen]</guard> <target>→ open</target>",
    )
  })

  it("lets no name steer a terminal", () => {
    const nasty = setup({}).createMachine({
      initial: "a",
      states: {
        a: { on: { "\u001b[2J\u202e": "\u009bb" } },
        "\u009bb": { description: "\u0007\nx" },
      },
    })
    expect(toOutline(nasty)).not.toMatch(/[\p{Cf}\p{Zl}]|(?!\n)\p{Cc}/u)
    expect(toOutline(hostile)).toContain("état 🦊")
  })
})

describe("activeStates", () => {
  const named = (...names: ReadonlyArray<string>) => {
    const found = activeStates(readChart(charts.task), names)
    return found === undefined ? undefined : [...found].toSorted()
  }

  it("includes what is around a state, and where it begins", () => {
    expect(named("live.looking.asking")).toEqual(["live", "live.looking", "live.looking.asking"])
    expect(named("live.looking")).toEqual(["live", "live.looking", "live.looking.waiting"])
    expect(named("live")).toContain("live.cancelling.unasked")
    expect(named("live.looking.asking", "live.status.working")).toHaveLength(5)
  })

  it("knows no state that there is not", () => {
    for (const name of ["", "nowhere", "live.nowhere", "constructor"])
      expect(named(name)).toBeUndefined()
  })
})
