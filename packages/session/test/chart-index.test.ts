import { describe, expect, it } from "vitest"
import {
  createActor,
  SimulatedClock,
  type AnyActor,
  type AnyStateMachine,
  type AnyStateNode,
} from "xstate"
import { charts } from "../src/index.js"

const nodesOf = (node: AnyStateNode): ReadonlyArray<AnyStateNode> => [
  node,
  ...Object.values(node.states).flatMap(nodesOf),
]

const entries: ReadonlyArray<readonly [string, AnyStateMachine]> = Object.entries(charts)

describe.each(entries)("the %s chart", (name, machine) => {
  const nodes = nodesOf(machine.root)

  it("is called by its name, and describes every state in one line", () => {
    expect(machine.id).toBe(name)
    for (const { description } of nodes) {
      expect(description).toMatch(/^[A-Za-z/][^\n]{10,110}\.$/)
    }
  })

  it("has an output, whichever final state it ends in", () => {
    const finals = Object.values(machine.root.states).filter(({ type }) => type === "final")
    expect(finals.length).toBeGreaterThan(0)
    expect(machine.root.output).toBeTypeOf("function")
  })

  it("names its guards, actions and delays", () => {
    const unnamed = nodes.flatMap((node) => [
      ...[...node.transitions.values(), node.always ?? []]
        .flat()
        .flatMap(({ guard, actions }) => [...(guard ? [guard] : []), ...actions]),
      ...node.entry,
      ...node.exit,
      ...node.after.map(({ delay }) => delay),
    ])
    const inline = unnamed.filter((part) => typeof part === "function" || typeof part === "number")
    // What schedules and cancels a delay is XState's own.
    expect(inline.filter((part) => !("resolve" in Object(part)))).toEqual([])
  })
})

describe("an actor that was not provided", () => {
  const broken = async (actor: AnyActor): Promise<unknown> =>
    new Promise((resolve) => actor.subscribe({ error: resolve }))

  it("breaks the negotiation at once, and says which one it was", async () => {
    const actor = createActor(charts.negotiation, {
      input: { dialect: "stream", target: "demo", now: () => 0 },
    })
    const error = broken(actor)
    actor.start()
    expect(await error).toMatchObject({ message: expect.stringContaining('"probe"') })
  })

  it("breaks the connection at once, and says which one it was", async () => {
    const actor = createActor(charts.connection, {
      input: {
        negotiation: { dialect: "stream", target: "demo", now: () => 0 },
        random: () => 0,
      },
      clock: new SimulatedClock(),
    })
    const error = broken(actor)
    actor.start()
    actor.send({ type: "open" })
    expect(await error).toMatchObject({ message: expect.stringContaining('"open"') })
  })
})
