import { describe, expect, it } from "vitest"
import { createActor, SimulatedClock, toPromise } from "xstate"
import { getShortestPaths } from "xstate/graph"
import { childProcessMachine, type ShutdownGrace } from "../src/index.js"
import type { EventsByState } from "./support/replay.js"
import { Taken } from "./support/transitions.js"

const taken = new Taken()

const start = (grace: Partial<ShutdownGrace> = {}) => {
  const clock = new SimulatedClock()
  const log: Array<string> = []
  const machine = childProcessMachine.provide({
    actions: {
      closeInput: () => log.push("stdin closed"),
      terminateTree: () => log.push("SIGTERM"),
      killTree: () => log.push("SIGKILL"),
      sweepTree: () => log.push("sweep"),
    },
  })
  const actor = createActor(machine, { clock, input: { grace }, inspect: taken.inspect })
  actor.start()
  return { actor, clock, log }
}

const exited = { type: "exited", code: 0, signal: undefined } as const

describe("a child process", () => {
  it("V25-STDIO-07 that leaves when its stdin is closed is sent no signal", async () => {
    const { actor, clock, log } = start()
    actor.send({ type: "spawned" })
    actor.send({ type: "stop" })
    clock.increment(999)
    actor.send(exited)
    clock.increment(10_000)
    expect(await toPromise(actor)).toEqual({ code: 0, signal: undefined })
    expect(log).toEqual(["stdin closed", "sweep"])
  })

  it("V26-STDIO-07 that ignores the end of stdin gets SIGTERM, and then SIGKILL", async () => {
    const { actor, clock, log } = start()
    actor.send({ type: "spawned" })
    actor.send({ type: "stop" })
    clock.increment(1_000)
    expect(log).toEqual(["stdin closed", "SIGTERM"])
    clock.increment(999)
    expect(log).toHaveLength(2)
    clock.increment(1)
    expect(log).toEqual(["stdin closed", "SIGTERM", "SIGKILL"])
    actor.send({ type: "exited", code: undefined, signal: "SIGKILL" })
    expect(await toPromise(actor)).toEqual({ code: undefined, signal: "SIGKILL" })
    expect(log.at(-1)).toBe("sweep")
  })

  it("each rung of the ladder waits as long as it is told to", () => {
    const { actor, clock, log } = start({ closeInput: 5, terminate: 20 })
    actor.send({ type: "stop" })
    clock.increment(5)
    expect(log).toEqual(["stdin closed", "SIGTERM"])
    clock.increment(19)
    expect(log).toHaveLength(2)
    clock.increment(1)
    expect(log).toHaveLength(3)
  })

  it("that ends by itself is swept up after, and stopping it again does nothing", () => {
    const { actor, log } = start()
    actor.send({ type: "spawned" })
    actor.send({ type: "exited", code: 3, signal: undefined })
    expect(actor.getSnapshot()).toMatchObject({
      status: "done",
      output: { code: 3, signal: undefined },
    })
    expect(log).toEqual(["sweep"])
  })

  it("C061 is starting until its first byte on stdout, and never again after it", () => {
    const { actor } = start()
    const states = ["spawned", "spoke", "spoke"].map((type) => {
      actor.send({ type } as { readonly type: "spawned" | "spoke" })
      return actor.getSnapshot().value
    })
    expect(states).toEqual(["starting", "running", "running"])
  })

  it("being told to stop twice does not climb the ladder faster", () => {
    const { actor, clock, log } = start()
    actor.send({ type: "spawned" })
    actor.send({ type: "stop" })
    clock.increment(500)
    actor.send({ type: "stop" })
    clock.increment(500)
    expect(log).toEqual(["stdin closed", "SIGTERM"])
  })

  it("on every path it ends swept, and no rung is taken twice or out of order", () => {
    const always = [{ type: "spawned" }, { type: "spoke" }, { type: "stop" }, exited]
    const events: EventsByState = {
      closingInput: [{ type: "xstate.after.closeInputGrace.childProcess.closingInput" }],
      terminating: [{ type: "xstate.after.terminateGrace.childProcess.terminating" }],
    }
    const paths = getShortestPaths(childProcessMachine, {
      input: {},
      // The generator wants the declared events only; delays are events all the same.
      events: ({ value, status }) =>
        (status === "done" ? [] : [...always, ...(events[String(value)] ?? [])]) as never,
      serializeState: ({ value }, event, before) =>
        JSON.stringify([value, event?.type, before?.value]),
    })
    const ladder = ["stdin closed", "SIGTERM", "SIGKILL", "sweep"]
    for (const path of paths) {
      const { actor, clock, log } = start()
      for (const { event, state } of path.steps.slice(1)) {
        if (event.type.startsWith("xstate.after")) clock.increment(1_000)
        else actor.send(event)
        expect(actor.getSnapshot().value).toBe(state.value)
      }
      expect(log).toEqual(ladder.filter((rung) => log.includes(rung)))
      expect(log.includes("sweep")).toBe(path.state.status === "done")
    }
    expect(taken.missing(childProcessMachine)).toEqual([])
  })
})
