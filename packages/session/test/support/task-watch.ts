import { explain, PeerError, Unreachable, type InputRequests } from "@entente/protocol"
import { createActor, fromCallback, SimulatedClock } from "xstate"
import {
  taskMachine,
  type AskedEvent,
  type TaskEvent,
  type TaskInput,
  type TaskReport,
} from "../../src/index.js"
import type { Taken } from "./transitions.js"

export const down = new Unreachable(explain("unreachable", "request", "demo", "connect refused"))

export const peerError = (rpcCode: number, rpcMessage = "no"): PeerError =>
  new PeerError({
    ...explain("peer-error", "request", "demo", `error ${rpcCode}`),
    method: "tasks/get",
    rpcCode,
    rpcMessage,
  })

/** A report of second `at` of a day; without more it says that the server is at it. */
export const report = (at: number, more: Partial<TaskReport> = {}): TaskReport => ({
  status: "working",
  createdAt: "2026-08-01T08:00:00Z",
  lastUpdatedAt: new Date(Date.UTC(2026, 7, 1, 8, 0, at)).toISOString(),
  ttlMs: null,
  pollIntervalMs: 1_000,
  ...more,
})

/** A task whose I/O is played by the test: what runs, when it began, and how it is told what came. */
export const watchTask = (taken: Taken, input: Partial<TaskInput> = {}) => {
  const clock = new SimulatedClock()
  const began = {
    look: [] as Array<number>,
    fetch: [] as Array<number>,
    cancel: [] as Array<number>,
  }
  const running = new Set<string>()
  const asked: Array<InputRequests> = []
  const ignored: Array<TaskReport> = []
  const told = new Map<string, (event: TaskEvent) => void>()
  const puppet = (id: keyof typeof began) =>
    fromCallback<TaskEvent>(({ sendBack }) => {
      began[id].push(clock.now())
      running.add(id)
      told.set(id, sendBack)
      return () => running.delete(id)
    })
  const machine = taskMachine.provide({
    actors: {
      look: puppet("look"),
      fetch: puppet("fetch"),
      cancel: puppet("cancel"),
      answer: fromCallback<AskedEvent>(({ receive }) => {
        running.add("answer")
        receive(({ requests }) => asked.push(requests))
        return () => running.delete("answer")
      }),
    },
    actions: { noteIgnored: (_, params) => ignored.push(params.report) },
  })
  const actor = createActor(machine, {
    input: { resultApart: false, cancellable: true, random: () => 0, ...input },
    clock,
    inspect: taken.inspect,
  })
  const errors: Array<unknown> = []
  actor.subscribe({ error: (error) => errors.push(error) })
  actor.start()
  const region = (name: "status" | "looking" | "result" | "cancelling"): string | undefined => {
    const { value } = actor.getSnapshot()
    return typeof value === "string" ? undefined : value.live[name]
  }
  return {
    actor,
    clock,
    began,
    running,
    asked,
    ignored,
    errors,
    send: (event: TaskEvent) => actor.send(event),
    /** What the answer to the running look, fetch or cancellation says. */
    tell: (id: keyof typeof began, event: TaskEvent) => told.get(id)?.(event),
    hint: (hinted: TaskReport) => actor.send({ type: "reported", report: hinted, asked: false }),
    answer: (seen: TaskReport) =>
      told.get("look")?.({ type: "reported", report: seen, asked: true }),
    state: () => {
      const { value } = actor.getSnapshot()
      return typeof value === "string" ? value : value.live.status
    },
    region,
    end: () => actor.getSnapshot().output,
    context: () => actor.getSnapshot().context,
  }
}
