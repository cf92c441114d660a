import { describe, expect, it } from "vitest"
import { charts, toMermaid } from "../src/index.js"
import { everything, hostile, parallelRoot, single } from "./machines.js"
import { faultsOf } from "./mermaid-grammar.js"
import { complaintOf } from "./mermaid-parser.js"

const lines = (diagram: string): ReadonlyArray<string> =>
  diagram.split("\n").map((line) => line.trim())

const door = lines(toMermaid(everything))

describe("toMermaid", () => {
  it.each(Object.entries({ everything, hostile, parallelRoot, single, ...charts }))(
    "writes only what Mermaid accepts and can draw: %s",
    (_, machine) => {
      expect(faultsOf(toMermaid(machine))).toEqual([])
      expect(faultsOf(toMermaid(machine, { notes: false }))).toEqual([])
    },
  )

  it.each(Object.entries({ everything, hostile, parallelRoot, single, ...charts }))(
    "is accepted by Mermaid's own parser: %s",
    async (_, machine) => {
      expect(await complaintOf(toMermaid(machine))).toBeUndefined()
      expect(await complaintOf(toMermaid(machine, { notes: false }))).toBeUndefined()
    },
  )

  it("would not be accepted by Mermaid's own parser if a box were left open", async () => {
    expect(await complaintOf(`${toMermaid(single)}  state "open" as open {\n`)).toContain("Parse")
  })

  it("colours the states that are active, where Mermaid can", async () => {
    const diagram = toMermaid(charts.connection, { active: new Set(["ready", "ready.legacy"]) })
    expect(lines(diagram)).toContain("class connection_ready_legacy active")
    expect(await complaintOf(diagram)).toBeUndefined()
    expect(toMermaid(charts.connection)).not.toContain("class")
  })

  it("gives the same text every time", () => {
    expect(toMermaid(everything)).toBe(toMermaid(everything))
  })

  it.each([
    ["the machine's name and description", "accDescr: A door#58; with every construct there is."],
    ["the initial state", "[*] --> door_closed"],
    ["an initial state inside", "[*] --> door_open_ajar"],
    ["a final state", "door_gone --> [*]"],
    ["a final state inside", "door_open_wide --> [*]"],
    ["tags", "door_closed : tags / shut, quiet"],
    ["entry actions", "door_closed : entry / note, assign"],
    ["exit actions", "door_closed : exit / note"],
    ["invoked actors", "door_opening : invoke / handshake"],
    ["an eventless transition", "door_closed --> door_open : always [isOpen]"],
    ["a named delay", "door_closed --> door_gone : after patience [!canRetry(max=4)]"],
    ["a delay in milliseconds", "door_closed --> door_closed : after 250 ms"],
    ["the end of an actor", "door_opening --> door_open : handshake done"],
    ["the failure of an actor", "door_opening --> door_closed : handshake failed / note"],
    ["the end of a compound state", "door_open --> door_gone : done"],
    ["the end of a parallel state", "door_busy --> door_closed : done"],
    ["guards combined", "door_opening --> door_open_wide : push [(isOpen && (isIdle || !isOpen))]"],
    ["a guard on a state", "door_opening --> door_gone : push [in #35;door.open]"],
    ["a guard without a name", "door_opening --> door_closed : push [inline]"],
    ["a transition of a compound state", "door_open --> door_closed : shut"],
    ["the re-entry of a compound state", "door_open --> door_open : again"],
    ["a transition into itself", "door_open__any --> door_open_wide : widen"],
    ["a transition of the root", "door__any --> door_closed : slam / note"],
    ["a transition without a target", "door__any : knock / greet"],
    ["a forbidden event", "door__any : ignore *"],
    ["a transition between regions", "door_busy_bell_ringing --> door_busy_lamp : lift"],
    ["a history state", 'state "back (H*)" as door_busy_memory_back'],
  ])("draws %s", (_, line) => {
    expect(door).toContain(line)
  })

  it("draws each region of a parallel state apart", () => {
    expect(door.filter((line) => line === "--")).toHaveLength(3)
  })

  it("puts a box around a parallel root, because regions are only legal inside one", () => {
    expect(lines(toMermaid(parallelRoot)).slice(0, 5)).toEqual([
      "stateDiagram-v2",
      "accTitle: both",
      'state "both" as both {',
      'state "any state" as both__any',
      "--",
    ])
  })

  it("draws every target of a transition with several", () => {
    expect(lines(toMermaid(parallelRoot))).toEqual(
      expect.arrayContaining([
        "both__any --> both_left : reset",
        "both__any --> both_right : reset",
      ]),
    )
  })

  it("shows descriptions as notes, wrapped, unless they are not wanted", () => {
    const start = door.indexOf("note right of door_closed")
    expect(door.slice(start, start + 4)).toEqual([
      "note right of door_closed",
      "Nobody passes#59; a knock is answered from",
      "inside. The end#32;note is not the end.",
      "end note",
    ])
    expect(toMermaid(everything, { notes: false })).not.toContain("note right of")
  })

  it("hides the raise and cancel that XState makes of a delay", () => {
    expect(toMermaid(everything)).not.toMatch(/raise|cancel/)
  })

  it("keeps states apart whose ids would fall together", () => {
    expect(lines(toMermaid(hostile))).toEqual(
      expect.arrayContaining([
        'state "a-b" as state_note_____________x_a_b',
        'state "a_b" as state_note_____________x_a_b_2 {',
      ]),
    )
  })

  it("draws the server process the way it runs", () => {
    expect(lines(toMermaid(charts.childProcess, { notes: false })).slice(1)).toMatchInlineSnapshot(`
      [
        "accTitle: childProcess",
        "accDescr: A server process from its command line to the end of its whole process tree.",
        "state "any state" as childProcess__any",
        "[*] --> childProcess_spawning",
        "state "spawning" as childProcess_spawning",
        "state "starting" as childProcess_starting",
        "state "running" as childProcess_running",
        "state "closingInput" as childProcess_closingInput",
        "childProcess_closingInput : entry / closeInput",
        "state "terminating" as childProcess_terminating",
        "childProcess_terminating : entry / terminateTree",
        "state "killing" as childProcess_killing",
        "childProcess_killing : entry / killTree",
        "state "exited" as childProcess_exited",
        "childProcess_exited : entry / sweepTree",
        "childProcess_exited --> [*]",
        "childProcess__any --> childProcess_exited : exited / rememberExit",
        "childProcess_spawning --> childProcess_starting : spawned",
        "childProcess_spawning --> childProcess_closingInput : stop",
        "childProcess_starting --> childProcess_running : spoke",
        "childProcess_starting --> childProcess_closingInput : stop",
        "childProcess_running --> childProcess_closingInput : stop",
        "childProcess_closingInput --> childProcess_terminating : after closeInputGrace",
        "childProcess_terminating --> childProcess_killing : after terminateGrace",
        "",
      ]
    `)
  })
})
