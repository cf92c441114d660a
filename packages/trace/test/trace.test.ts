import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { CurrentTrace, Trace, type TraceEvent, type Unstamped } from "../src/index.js"

const note = (detail: string): Unstamped => ({ type: "note", code: "late-reply", detail })

describe("a trace", () => {
  it("is active while somebody reads, and makes no event before", () => {
    const seen: Array<TraceEvent> = []
    const trace = new Trace({}, () => 42)
    expect(trace.active).toBe(false)
    trace.emit(note("unseen"))
    const stop = trace.subscribe((event) => seen.push(event))
    expect(trace.active).toBe(true)
    trace.emit(note("seen"))
    stop()
    expect(trace.active).toBe(false)
    trace.emit(note("unseen"))
    expect(seen).toEqual([{ type: "note", code: "late-reply", detail: "seen", seq: 0, at: 42 }])
  })

  it("redacts before any reader sees an event", () => {
    const seen: Array<TraceEvent> = []
    const trace = new Trace({ names: ["tenant"] })
    trace.subscribe((event) => seen.push(event))
    const message = { params: { arguments: { token: "abc", tenant: "def" } } }
    trace.emit({ type: "frame", direction: "out", message })
    expect(seen).toMatchObject([
      { message: { params: { arguments: { token: "‹redacted›", tenant: "‹redacted›" } } } },
    ])
    expect(message.params.arguments.token).toBe("abc")
  })

  it("goes on when a reader throws", () => {
    const seen: Array<number> = []
    const trace = new Trace()
    trace.subscribe(() => {
      throw new Error("a reader's own loss")
    })
    trace.subscribe((event) => seen.push(event.seq))
    trace.emit(note("a"))
    trace.emit(note("b"))
    expect(seen).toEqual([0, 1])
  })

  it("shows every reader the events in order, also those a reader emits", () => {
    const trace = new Trace()
    const seen: Array<string> = []
    trace.subscribe((event) => {
      if (event.type === "note" && event.detail === "first") trace.emit(note("second"))
    })
    trace.subscribe((event) => seen.push(`${event.seq} ${event.type === "note" && event.detail}`))
    trace.emit(note("first"))
    expect(seen).toEqual(["0 first", "1 second"])
  })

  it("lets a reader subscribe twice, and stop once", () => {
    const trace = new Trace()
    let count = 0
    const reader = () => void count++
    const stop = trace.subscribe(reader)
    trace.subscribe(reader)
    trace.emit(note("twice"))
    stop()
    stop()
    trace.emit(note("once"))
    expect(count).toBe(3)
  })

  it("is unread by default, and provided as a reference", () => {
    const trace = new Trace()
    expect(Effect.runSync(CurrentTrace).active).toBe(false)
    expect(Effect.runSync(Effect.provideService(CurrentTrace, CurrentTrace, trace))).toBe(trace)
  })
})
