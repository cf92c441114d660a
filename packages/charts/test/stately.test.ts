import { createActor, createMachine, fromPromise, setup, type AnyStateMachine } from "xstate"
import { describe, expect, it } from "vitest"
import { charts, readChart, toStately, type ChartModel } from "../src/index.js"
import { everything, hostile, parallelRoot, single } from "./machines.js"

const dotted = setup({}).createMachine({
  id: "a.b",
  initial: "x.y",
  states: {
    "x.y": { on: { go: "#named" } },
    "back\\slash": {
      id: "named",
      initial: "p.q",
      states: { "p.q": { on: { up: "#a\\.b.x\\.y" } } },
    },
  },
})

/** All that a chart says, without the names that JSON cannot tell apart from others. */
const shapeOf = (chart: ChartModel) => ({
  ...chart,
  transitions: chart.transitions.map(({ guard, ...rest }) => ({
    ...rest,
    // Parameters that functions compute are left out, so `isOpen(max=1)` may have become `isOpen`.
    guard: guard?.replace(/\(\w+=.*\)$/, ""),
  })),
})

const readBack = (machine: AnyStateMachine): AnyStateMachine =>
  createMachine(JSON.parse(JSON.stringify(toStately(machine))))

describe("toStately", () => {
  it.each(Object.entries({ everything, hostile, parallelRoot, single, dotted, ...charts }))(
    "writes JSON of which XState makes a machine with the same states and transitions: %s",
    (_, machine) => {
      expect(shapeOf(readChart(readBack(machine)))).toEqual(shapeOf(readChart(machine)))
    },
  )

  it("writes names where the machine has functions", () => {
    expect(toStately(charts.childProcess)).toMatchObject({
      id: "childProcess",
      initial: "spawning",
      states: {
        closingInput: {
          entry: [{ type: "closeInput" }],
          after: { closeInputGrace: { target: "terminating" } },
        },
      },
    })
    expect(JSON.stringify(toStately(everything))).toContain('"guard":{"type":"inline"}')
  })

  it("keeps parameters that are data, descriptions, and where a history state leads", () => {
    const machine = setup({
      actions: { say: (_, params: { readonly what: string }) => void params.what },
      actors: { work: fromPromise(() => Promise.resolve()) },
    }).createMachine({
      id: "kept",
      initial: "a",
      states: {
        a: {
          on: {
            go: {
              target: "b",
              description: "Off it goes.",
              actions: { type: "say", params: { what: "hi" } },
            },
          },
          invoke: { id: "job", src: "work", onDone: "b" },
        },
        b: { initial: "c", states: { c: {}, last: { type: "history", target: "c" } } },
      },
    })
    expect(toStately(machine)["states"]).toMatchObject({
      a: {
        on: {
          go: { description: "Off it goes.", actions: [{ type: "say", params: { what: "hi" } }] },
        },
        invoke: [{ id: "job", src: "work", onDone: { target: "b" } }],
      },
      b: { states: { last: { type: "history", target: "c" } } },
    })
  })

  it("writes a machine that runs once its names are given a meaning", () => {
    const machine = readBack(charts.childProcess).provide({
      actions: { closeInput: () => {} },
      delays: { closeInputGrace: 600_000 },
    })
    const spawned = createActor(machine).start()
    spawned.send({ type: "spawned" })
    spawned.send({ type: "stop" })
    expect(spawned.getSnapshot().value).toBe("closingInput")
    spawned.stop()
  })
})
