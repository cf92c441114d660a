import { describe, expect, it } from "vitest"
import { createActor } from "xstate"
import { defaultTaskPolicy, lookDelay, taskMachine, type TaskOutcome } from "../src/index.js"
import { down, peerError, report, watchTask } from "./support/task-watch.js"
import { Taken } from "./support/transitions.js"

const taken = new Taken()
const watch = (
  ...input: Parameters<typeof watchTask> extends [unknown, ...infer Rest] ? Rest : never
) => watchTask(taken, ...input)

const done: TaskOutcome = { ok: true, result: { content: [] } }
const toolError: TaskOutcome = { ok: true, result: { content: [], isError: true } }
const rpcFailure: TaskOutcome = { ok: false, error: peerError(-32603, "out of paper") }
const unknown = { type: "unknown", error: peerError(-32602) } as const
const faltered = { type: "faltered", error: down } as const

describe("a task whose reports bring everything", () => {
  it("V26-TASK-10 begins as the answer that created it says, and may alternate", () => {
    const task = watch()
    expect(task.state()).toBe("submitted")
    task.hint(report(0, { status: "input_required", inputRequests: {} }))
    expect(task.state()).toBe("inputRequired")
    task.hint(report(1))
    expect(task.state()).toBe("working")
    task.hint(report(2, { status: "input_required", inputRequests: {} }))
    expect(task.state()).toBe("inputRequired")
    expect(task.began.look).toEqual([])
  })

  it("V25-TASK-07 V26-TASK-08 is looked at in the server's latest interval, one look at a time", () => {
    const task = watch()
    task.hint(report(0))
    task.clock.increment(999)
    expect(task.began.look).toEqual([])
    task.clock.increment(1)
    expect(task.began.look).toEqual([1_000])
    // The answer takes its time, and the pause begins with it.
    task.clock.increment(500)
    task.answer(report(1, { pollIntervalMs: 3_000 }))
    task.clock.increment(2_999)
    expect(task.began.look).toEqual([1_000])
    task.clock.increment(1)
    expect(task.began.look).toEqual([1_000, 4_500])
    expect(task.running.has("look")).toBe(true)
  })

  it("V25-TASK-07 V26-TASK-08 no interval makes it spin or sleep for ever, and ours is spread", () => {
    const delay = (pollIntervalMs: number | undefined, more: object = {}, chance = 0) =>
      lookDelay({
        policy: defaultTaskPolicy,
        random: () => chance,
        report: { ...report(0), ...(pollIntervalMs !== undefined && { pollIntervalMs }) },
        failures: 0,
        covered: false,
        ...more,
      })
    expect(delay(0)).toBe(200)
    expect(delay(-5)).toBe(200)
    expect(delay(1e12)).toBe(3_600_000)
    expect(delay(5_000, {}, 0.99)).toBe(5_000)
    const { pollIntervalMs: _, ...without } = report(0)
    expect(delay(undefined, { report: without })).toBe(2_000)
    expect(delay(undefined, { report: without }, 0.8)).toBe(2_400)
    expect(delay(undefined, { report: undefined })).toBe(2_000)
    // Failures make pauses longer, never shorter than what the server asks for.
    expect(delay(500, { failures: 1 })).toBe(1_000)
    expect(delay(500, { failures: 3 }, 0.4)).toBe(4_400)
    expect(delay(500, { failures: 60 })).toBe(30_000)
    expect(delay(45_000, { failures: 60 })).toBe(45_000)
  })

  it("V26-TASK-11 completed brings the result, failed the error, and neither is looked at again", () => {
    for (const [status, outcome] of [
      ["completed", done],
      ["completed", toolError],
      ["failed", rpcFailure],
    ] as const) {
      const task = watch()
      task.hint(report(0))
      task.clock.increment(1_000)
      task.answer(report(1, { status, outcome }))
      expect(task.end()).toEqual({ status, outcome })
      task.clock.increment(86_400_000)
      expect(task.began.look).toEqual([1_000])
      expect([...task.running]).toEqual([])
    }
  })

  it("V26-TASK-18 an end that the server tells by itself ends the wait without a look", () => {
    const task = watch()
    task.hint(report(0))
    task.hint(report(1, { status: "completed", outcome: done }))
    expect(task.end()).toEqual({ status: "completed", outcome: done })
    expect(task.began.look).toEqual([])
  })

  it("V26-TASK-18 is looked at rarely while the server speaks by itself, and as before afterwards", () => {
    const task = watch()
    task.send({ type: "covered", covered: true })
    task.hint(report(0))
    task.clock.increment(59_999)
    expect(task.began.look).toEqual([])
    task.clock.increment(1)
    expect(task.began.look).toEqual([60_000])
    task.answer(report(1))
    task.clock.increment(10_000)
    // The subscription is gone: its own rhythm again, from now on.
    task.send({ type: "covered", covered: false })
    task.clock.increment(1_000)
    expect(task.began.look).toEqual([60_000, 71_000])
    task.send({ type: "covered", covered: true })
    expect(task.running.has("look")).toBe(true)
  })

  it("a word of the server begins the pause anew, and a nudge ends it", () => {
    const task = watch()
    task.hint(report(0))
    task.clock.increment(900)
    task.hint(report(1))
    task.clock.increment(900)
    expect(task.began.look).toEqual([])
    task.send({ type: "nudge" })
    expect(task.began.look).toEqual([1_800])
    // A word meanwhile does not take the look back.
    task.hint(report(2))
    expect(task.running.has("look")).toBe(true)
  })

  it("V25-TASK-06 what is older than what is known is ignored, and noted; an end never is", () => {
    const task = watch()
    task.hint(report(5))
    const older = report(4, { status: "input_required" })
    task.hint(older)
    expect(task.state()).toBe("working")
    expect(task.ignored).toEqual([older])
    task.hint(report(5, { lastUpdatedAt: "yesterday" }))
    task.hint(report(3, { status: "completed", outcome: done }))
    expect(task.end()).toEqual({ status: "completed", outcome: done })
  })

  it("V26-TASK-06 V26-TASK-20 V25-TASK-15 a task that the server does not know is gone at once", () => {
    const task = watch()
    task.send({ type: "nudge" })
    task.tell("look", unknown)
    expect(task.end()).toEqual({ status: "gone", why: "unknown", error: unknown.error })
    expect(task.began.look).toEqual([0])
  })

  it("a look that cannot be repeated with success loses the task", () => {
    const task = watch()
    task.send({ type: "nudge" })
    task.tell("look", { type: "refused", error: peerError(-32601) })
    expect(task.end()).toEqual({ status: "lost", error: peerError(-32601) })
  })

  it("looks that fail are repeated with growing pauses, and not for ever", () => {
    const task = watch({ policy: { maxFailures: 4 } })
    task.hint(report(0, { pollIntervalMs: 200 }))
    task.clock.increment(200)
    for (let look = 1; look <= 4; look++) {
      task.tell("look", faltered)
      while (task.began.look.length === look && task.end() === undefined) task.clock.increment(1)
    }
    expect(task.began.look).toEqual([200, 1_200, 3_200, 7_200])
    expect(task.end()).toEqual({ status: "lost", error: down })
  })

  it("a look that succeeds gives all its patience back", () => {
    const task = watch({ policy: { maxFailures: 2 } })
    task.hint(report(0))
    for (let round = 0; round < 6; round++) {
      task.clock.increment(60_000)
      if (round % 2 === 0) task.tell("look", faltered)
      else task.answer(report(round))
    }
    expect(task.state()).toBe("working")
    expect(task.context().failures).toBe(0)
  })

  it("V26-TASK-12 hands over what the server wants to know, each time it says so", () => {
    const task = watch()
    const inputRequests = { go: { method: "roots/list" } } as const
    task.hint(report(0, { status: "input_required", inputRequests }))
    task.hint(report(1, { status: "input_required", inputRequests }))
    task.hint(report(2))
    expect(task.asked).toEqual([inputRequests, inputRequests])
    task.hint(report(3, { status: "cancelled" }))
    expect(task.running.has("answer")).toBe(false)
  })

  it("is abandoned when nobody wants to know, or nothing can be asked any more", () => {
    const released = watch()
    released.hint(report(0))
    released.send({ type: "abandon" })
    expect(released.end()).toEqual({ status: "abandoned", why: "released" })
    const closed = watch()
    closed.send({ type: "nudge" })
    closed.tell("look", { type: "abandon", error: down })
    expect(closed.end()).toEqual({ status: "abandoned", why: "released", error: down })
    expect([...closed.running]).toEqual([])
  })
})

describe("the time for which a server keeps a task", () => {
  it("V26-TASK-21 V25-TASK-05 is counted from when it was heard of; then one last look decides", () => {
    const task = watch()
    task.hint(
      report(0, { ttlMs: 10_000, pollIntervalMs: 60_000, createdAt: "1999-01-01T00:00:00Z" }),
    )
    task.clock.increment(9_999)
    expect(task.began.look).toEqual([])
    task.clock.increment(1)
    expect(task.began.look).toEqual([10_000])
    task.answer(report(1, { ttlMs: 10_000 }))
    expect(task.end()).toEqual({ status: "gone", why: "expired" })
  })

  it("V26-TASK-21 an end that the last look brings counts, and so does a longer time", () => {
    const ended = watch()
    ended.hint(report(0, { ttlMs: 500 }))
    ended.clock.increment(500)
    ended.answer(report(1, { status: "completed", outcome: done, ttlMs: 500 }))
    expect(ended.end()).toEqual({ status: "completed", outcome: done })

    const extended = watch()
    extended.hint(report(0, { ttlMs: 500 }))
    extended.clock.increment(500)
    extended.answer(report(1, { ttlMs: 5_000 }))
    extended.clock.increment(4_999)
    expect(extended.state()).toBe("working")
    extended.clock.increment(1)
    extended.answer(report(2, { ttlMs: 5_000 }))
    expect(extended.end()).toEqual({ status: "gone", why: "expired" })
  })

  it("V25-TASK-05 null is no end, nor is more than a timer can hold", () => {
    for (const ttlMs of [null, 1e15]) {
      const task = watch()
      task.hint(report(0, { ttlMs, pollIntervalMs: 3_600_000 }))
      task.clock.increment(3_599_999)
      expect(task.began.look).toEqual([])
      expect(task.state()).toBe("working")
    }
  })

  it("a look that is under way when the time is over is the last one, also if it fails", () => {
    const task = watch()
    task.hint(report(0, { ttlMs: 1_500 }))
    task.clock.increment(1_000)
    task.clock.increment(500)
    expect(task.began.look).toEqual([1_000])
    task.tell("look", faltered)
    expect(task.end()).toEqual({ status: "gone", why: "expired" })
  })

  it("ends the wait for a result that never comes", () => {
    const task = watch({ resultApart: true })
    task.hint(report(0, { status: "completed", ttlMs: 5_000 }))
    expect(task.state()).toBe("fetching")
    task.clock.increment(5_000)
    expect(task.end()).toEqual({ status: "gone", why: "expired" })
    expect([...task.running]).toEqual([])
  })
})

describe("a task whose result is apart", () => {
  it("V25-TASK-08 is asked for its result once it is over, and not looked at any more", () => {
    const task = watch({ resultApart: true })
    task.hint(report(0))
    task.clock.increment(1_000)
    expect(task.began.fetch).toEqual([])
    task.answer(report(1, { status: "completed" }))
    expect(task.state()).toBe("fetching")
    expect(task.region("looking")).toBe("still")
    expect(task.began.fetch).toEqual([1_000])
    task.tell("fetch", { type: "fetched", outcome: done })
    expect(task.end()).toEqual({ status: "completed", outcome: done })
  })

  it("V25-TASK-08 a failed task has the original error, or the result of a tool that failed", () => {
    for (const outcome of [toolError, rpcFailure]) {
      const task = watch({ resultApart: true })
      task.hint(report(0, { status: "failed" }))
      task.tell("fetch", { type: "fetched", outcome })
      expect(task.end()).toEqual({ status: "failed", outcome })
    }
  })

  it("V25-TASK-08 even -32602, which may be the original error, is the end of a failed task alone", () => {
    const outcome: TaskOutcome = { ok: false, error: peerError(-32602) }
    const failed = watch({ resultApart: true })
    failed.hint(report(0, { status: "failed" }))
    failed.tell("fetch", { type: "fetched", outcome })
    expect(failed.end()).toEqual({ status: "failed", outcome })
    // V25-TASK-15: a completed task has a result, so that this one was purged meanwhile.
    const completed = watch({ resultApart: true })
    completed.hint(report(0, { status: "completed" }))
    completed.tell("fetch", { type: "fetched", outcome })
    expect(completed.end()).toEqual({ status: "gone", why: "unknown", error: outcome.error })
  })

  it("V25-TASK-08 a cancelled task is cancelled, and its result is not asked for", () => {
    const task = watch({ resultApart: true })
    task.hint(report(0, { status: "cancelled" }))
    expect(task.end()).toEqual({ status: "cancelled" })
    expect(task.began.fetch).toEqual([])
  })

  it("V25-TASK-09 is asked for its result at once when input is required, and looked at beside", () => {
    const task = watch({ resultApart: true })
    task.hint(report(0, { status: "input_required" }))
    expect(task.began.fetch).toEqual([0])
    task.clock.increment(1_000)
    expect(task.began.look).toEqual([1_000])
    task.answer(report(1))
    expect(task.state()).toBe("working")
    // What was asked stays asked: the answer comes when the task is over.
    expect(task.running.has("fetch")).toBe(true)
    task.tell("fetch", { type: "fetched", outcome: done })
    expect(task.end()).toEqual({ status: "completed", outcome: done })
    expect(task.began.fetch).toEqual([0])
  })

  it("V25-TASK-08 a tool that failed makes a failed task, also where the result comes first", () => {
    const task = watch({ resultApart: true })
    task.hint(report(0, { status: "input_required" }))
    task.tell("fetch", { type: "fetched", outcome: toolError })
    expect(task.end()).toEqual({ status: "failed", outcome: toolError })
  })

  it("an error before the end is no end: a look follows, and the result is asked for again", () => {
    const task = watch({ resultApart: true })
    task.hint(report(0, { status: "input_required" }))
    task.tell("fetch", { type: "fetched", outcome: rpcFailure })
    expect(task.region("result")).toBe("resting")
    expect(task.began.look).toEqual([0])
    task.answer(report(1, { status: "failed" }))
    expect(task.state()).toBe("fetching")
    task.clock.increment(1_000)
    expect(task.began.fetch).toEqual([0, 1_000])
    task.tell("fetch", { type: "fetched", outcome: rpcFailure })
    expect(task.end()).toEqual({ status: "failed", outcome: rpcFailure })
  })

  it("V25-TASK-10 a fetch whose stream is lost is asked again, while the task goes on", () => {
    const task = watch({ resultApart: true, policy: { maxFailures: 2 } })
    task.hint(report(0, { status: "input_required" }))
    for (let round = 0; round < 5; round++) {
      task.tell("fetch", { type: "fetchFaltered", error: down })
      task.clock.increment(60_000)
      if (task.running.has("look")) task.answer(report(round, { status: "input_required" }))
    }
    expect(task.state()).toBe("inputRequired")
    expect(task.began.fetch.length).toBeGreaterThan(4)
  })

  it("a result that cannot be fetched is asked for a bounded number of times", () => {
    const task = watch({ resultApart: true, policy: { maxFailures: 3 } })
    task.hint(report(0, { status: "completed" }))
    for (let fetch = 1; fetch <= 3; fetch++) {
      task.tell("fetch", { type: "fetchFaltered", error: down })
      while (task.began.fetch.length === fetch && task.end() === undefined) task.clock.increment(1)
    }
    expect(task.began.fetch).toEqual([0, 1_000, 3_000])
    expect(task.end()).toEqual({ status: "lost", error: down })
  })

  it("V25-TASK-06 an end is frozen: what says otherwise while the result is fetched is ignored", () => {
    const task = watch({ resultApart: true })
    task.hint(report(5, { status: "completed" }))
    const illegal = report(9, { status: "working", ttlMs: 1 })
    task.hint(illegal)
    task.hint(report(9, { status: "completed" }))
    expect(task.state()).toBe("fetching")
    expect(task.ignored).toEqual([illegal])
    task.clock.increment(60_000)
    expect(task.state()).toBe("fetching")
  })

  it("a look that was under way when the end was told changes nothing", () => {
    for (const late of [{ type: "reported", report: report(1), asked: true }, faltered] as const) {
      const task = watch({ resultApart: true })
      task.hint(report(0))
      task.clock.increment(1_000)
      task.hint(report(5, { status: "completed" }))
      expect(task.running.has("look")).toBe(true)
      task.tell("look", late)
      expect(task.region("looking")).toBe("still")
      expect(task.state()).toBe("fetching")
    }
  })

  it("an end that is told in a pause stops the looks", () => {
    const task = watch({ resultApart: true })
    task.hint(report(0))
    task.hint(report(1, { status: "failed" }))
    task.clock.increment(60_000)
    expect(task.began.look).toEqual([])
  })
})

describe("cancelling a task", () => {
  it("V25-TASK-13 asks once, however often it is wanted, and the server's word ends it", () => {
    const task = watch()
    task.hint(report(0))
    task.send({ type: "cancel" })
    task.send({ type: "cancel" })
    expect(task.began.cancel).toEqual([0])
    task.tell("cancel", {
      type: "reported",
      report: report(1, { status: "cancelled" }),
      asked: false,
    })
    expect(task.end()).toEqual({ status: "cancelled" })
  })

  it("V26-TASK-15 V26-TASK-16 an acknowledgement is no end: the task may still complete", () => {
    const task = watch()
    task.hint(report(0))
    task.send({ type: "cancel" })
    task.tell("cancel", { type: "cancelAccepted" })
    expect(task.region("cancelling")).toBe("accepted")
    task.send({ type: "cancel" })
    task.clock.increment(1_000)
    task.answer(report(1))
    expect(task.state()).toBe("working")
    task.clock.increment(1_000)
    task.answer(report(2, { status: "completed", outcome: done }))
    expect(task.end()).toEqual({ status: "completed", outcome: done })
    expect(task.began.cancel).toEqual([0])
  })

  it("V25-TASK-15 a cancelled task may be forgotten at once", () => {
    const task = watch()
    task.hint(report(0))
    task.send({ type: "cancel" })
    task.tell("cancel", { type: "cancelAccepted" })
    task.clock.increment(1_000)
    task.tell("look", unknown)
    expect(task.end()).toEqual({ status: "cancelled" })
  })

  it("V25-TASK-13 too late means that the task has ended: a look and its result tell how", () => {
    const task = watch({ resultApart: true })
    task.hint(report(0))
    task.send({ type: "cancel" })
    task.tell("cancel", { type: "cancelTooLate" })
    expect(task.region("cancelling")).toBe("tooLate")
    expect(task.began.look).toEqual([0])
    task.answer(report(1, { status: "completed" }))
    task.send({ type: "cancel" })
    task.tell("fetch", { type: "fetched", outcome: done })
    expect(task.end()).toEqual({ status: "completed", outcome: done })
    expect(task.began.cancel).toEqual([0])
  })

  it("is too late for a task that has ended and whose result is fetched", () => {
    const task = watch({ resultApart: true })
    task.hint(report(0, { status: "completed" }))
    task.send({ type: "cancel" })
    expect(task.region("cancelling")).toBe("tooLate")
    expect(task.began.cancel).toEqual([])
  })

  it("that fails leaves the task alone, and may be tried again", () => {
    const task = watch()
    task.hint(report(0))
    task.send({ type: "cancel" })
    task.tell("cancel", { type: "cancelFailed", error: down })
    expect(task.context().cancelError).toBe(down)
    expect(task.state()).toBe("working")
    task.send({ type: "cancel" })
    expect(task.context().cancelError).toBeUndefined()
    expect(task.began.cancel).toEqual([0, 0])
  })

  it("where the server offers no way to, the task is left to itself (trap 27)", () => {
    const task = watch({ cancellable: false })
    task.hint(report(0))
    task.send({ type: "cancel" })
    expect(task.end()).toEqual({ status: "abandoned", why: "cannot-cancel" })
    expect(task.began.cancel).toEqual([])
  })
})

describe("the task chart", () => {
  it("breaks at once where an actor is not provided, and says which one it was", async () => {
    const actor = createActor(taskMachine, {
      input: { resultApart: false, cancellable: true, random: () => 0 },
    })
    const error = new Promise((resolve) => actor.subscribe({ error: resolve }))
    actor.start()
    expect(await error).toMatchObject({ message: expect.stringContaining('"answer"') })
  })

  it("every transition was taken by a running chart", () => {
    expect(taken.missing(taskMachine)).toEqual([])
  })
})
