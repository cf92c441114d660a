import { describe, expect } from "vitest"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import {
  faultyBytes,
  faultyEngine,
  type ByteFault,
  type FaultyBytesOptions,
  type HttpEngine,
} from "@entente/transport"
import { MessageLines } from "../../src/message-lines.js"
import { currentTimers } from "../../src/timers.js"
import { mulberry32, randomAt } from "../../src/wrapper/random.js"

const bytesOf = (text: string) => new TextEncoder().encode(text)

/** A sink that remembers the pieces it got, as text, and how it ended. */
const pieces = () => {
  const heard: Array<string> = []
  return {
    heard,
    chunk: (bytes: Uint8Array): void => void heard.push(new TextDecoder().decode(bytes)),
    end: (): void => void heard.push("end"),
    failed: ({ message }: Error): void => void heard.push(message),
  }
}

const text = "0123456789".repeat(10)

const through = (options: FaultyBytesOptions) =>
  Effect.map(currentTimers, (timers) => {
    const sink = pieces()
    const stream = faultyBytes(options, sink, timers)
    stream.chunk(bytesOf(text))
    stream.end()
    return sink.heard
  })

describe("faultyBytes", () => {
  it.effect("cuts anew and changes nothing", () =>
    Effect.gen(function* () {
      const heard = yield* through({ seed: 3, maxPiece: 4 })
      expect(heard.pop()).toBe("end")
      expect(heard.join("")).toBe(text)
      expect(heard.length).toBeGreaterThan(25)
      expect(yield* through({ seed: 3, maxPiece: 4 })).toEqual([...heard, "end"])
      expect(yield* through({ seed: 4, maxPiece: 4 })).not.toEqual([...heard, "end"])
    }),
  )

  it.effect("ends early, breaks off, or goes silent, and says where", () =>
    Effect.gen(function* () {
      const faults: Array<ByteFault> = []
      const onFault = (fault: ByteFault): void => void faults.push(fault)
      for (const end of ["truncate", "disconnect", "stall"] as const) {
        const heard = yield* through({ seed: 9, within: 50, [end]: 1, onFault })
        const last =
          end === "truncate" ? "end" : end === "stall" ? undefined : expect.stringContaining("cut")
        const { at } = faults.at(-1)!
        expect(at).toBeLessThan(50)
        expect(heard).toEqual(
          [text.slice(0, at), last].filter((piece) => piece !== undefined && piece !== ""),
        )
      }
      expect(faults.map(({ fault }) => fault)).toEqual(["truncate", "disconnect", "stall"])
    }),
  )

  it.effect("is late, in order", () =>
    Effect.gen(function* () {
      const heard = yield* through({ seed: 1, maxPiece: 60, latency: { ms: 10, jitterMs: 90 } })
      expect(heard).toEqual([])
      yield* TestClock.adjust(100)
      expect(heard.at(-1)).toBe("end")
      expect(heard.slice(0, -1).join("")).toBe(text)
    }),
  )

  it.effect("V25-STDIO-06 V26-STDIO-03 a line decoder reads the same, however it is cut", () =>
    Effect.gen(function* () {
      const timers = yield* currentTimers
      const lines = [1, 2, 3].map((id) => JSON.stringify({ id, text: "naïve 🦊 \u2028" }))
      for (let seed = 0; seed < 200; seed++) {
        const read: Array<unknown> = []
        const decoder = new MessageLines({
          target: "x",
          maxMessageBytes: 1_000,
          receiver: {
            message: (value) => read.push(value),
            note: (note) => read.push(note),
            unreadable: (error) => read.push(error),
            closed: (cause) => read.push(cause),
          },
        })
        const sink = { chunk: (bytes: Uint8Array) => decoder.push(bytes), end: () => decoder.end() }
        const stream = faultyBytes({ seed, maxPiece: 1 + (seed % 9) }, sink, timers)
        stream.chunk(bytesOf(`${lines.join("\r\n")}\n`))
        stream.end()
        expect(read, `seed ${seed}`).toEqual(lines.map((line) => JSON.parse(line) as unknown))
      }
    }),
  )
})

describe("faultyEngine", () => {
  it.effect("breaks bodies off, each by itself, and cancels the exchange below", () =>
    Effect.gen(function* () {
      let cancelled = 0
      const below: HttpEngine = {
        start: (_, answer) => {
          queueMicrotask(() => {
            answer.head(200, {})
            answer.chunk(bytesOf(text))
            answer.end()
          })
          return () => ++cancelled > 0
        },
        close: async () => {},
      }
      const engine = yield* faultyEngine(below, { seed: 1, disconnect: 0.5, within: 80 })
      const sinks = Array.from({ length: 20 }, pieces)
      for (const sink of sinks) {
        const head = (): void => {}
        const failed = (cause: unknown): void => sink.failed(cause as Error) // its own error
        engine.start(
          { method: "POST", url: new URL("http://localhost/"), headers: {} },
          { head, chunk: sink.chunk, end: sink.end, failed },
        )
      }
      yield* Effect.promise(() => new Promise<void>((resume) => setImmediate(resume)))
      const broken = sinks.filter(({ heard }) => heard.at(-1) !== "end")
      expect(broken.length).toBeGreaterThan(4)
      expect(broken.length).toBeLessThan(16)
      expect(cancelled).toBe(20)
    }),
  )
})

describe("random numbers", () => {
  it("are those of mulberry32, on every machine", () => {
    const next = mulberry32(42)
    expect([next(), next(), next()]).toEqual([
      0.6011037519201636, 0.44829055899754167, 0.8524657934904099,
    ])
  })

  it("depend on the place, and spread", () => {
    const share = (places: ReadonlyArray<number>) =>
      places.filter((place) => randomAt(1, place)() < 0.5).length / places.length
    const places = Array.from({ length: 2_000 }, (_, index) => index)
    expect(share(places)).toBeCloseTo(0.5, 1)
    expect(randomAt(1, 2, 3)()).toBe(randomAt(1, 2, 3)())
    expect(randomAt(1, 2, 3)()).not.toBe(randomAt(1, 3, 2)())
  })
})
