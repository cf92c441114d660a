import { diagnose } from "@entente/doctor"
import { isJsonObject } from "@entente/protocol"
import type { TraceEvent } from "@entente/trace"
import fc from "fast-check"
import { beforeAll, describe, expect, it } from "vitest"
import { recordTraces, type Recorded } from "./recorded-traces.js"

let recorded: ReadonlyArray<Recorded> = []

beforeAll(async () => {
  recorded = await recordTraces()
}, 120_000)

interface Said {
  readonly out: boolean
  readonly message: Readonly<Record<string, unknown>>
}

const saidIn = (trace: ReadonlyArray<unknown>): ReadonlyArray<Said> => {
  const said: Array<Said> = []
  for (const event of trace) {
    if (!isJsonObject(event)) continue
    if (event["type"] === "experiment") break
    const { direction, message } = event
    if (event["type"] !== "frame") continue
    for (const one of Array.isArray(message) ? message : [message]) {
      if (isJsonObject(one)) said.push({ out: direction === "out", message: one })
    }
  }
  return said
}

/**
 * Whether a trace itself holds a whole list with tools in it: each page asked for, then answered, in order.
 * Written without a look at how the doctor reads.
 */
const holdsTools = (trace: ReadonlyArray<unknown>): boolean => {
  const said = saidIn(trace)
  const from = (start: number, cursor: string | undefined, tools: number): boolean =>
    said.some(({ out, message: question }, asked) => {
      const { method, id, params } = question
      const wanted = isJsonObject(params) ? params["cursor"] : undefined
      if (!out || asked < start || method !== "tools/list" || (wanted ?? undefined) !== cursor)
        return false
      return said.some(({ out: own, message: answer }, answered) => {
        const { result } = answer
        if (own || answered < asked || String(answer["id"]) !== String(id) || !isJsonObject(result))
          return false
        const page = result["tools"]
        const next = result["nextCursor"]
        if (!Array.isArray(page)) return false
        return typeof next === "string"
          ? from(answered, next, tools + page.length)
          : tools + page.length > 0
      })
    })
  return from(0, undefined, 0)
}

/** What has to be true of every diagnosis, whatever was diagnosed. */
const isSound = (trace: ReadonlyArray<unknown>): void => {
  // Whatever a file held, seen as a trace: that is what is tested.
  const diagnosis = diagnose(trace as ReadonlyArray<TraceEvent>)
  expect(JSON.parse(JSON.stringify(diagnosis))).toEqual(diagnosis)
  for (const { confidence, evidence } of diagnosis.hypotheses) {
    expect(confidence).toBeGreaterThan(0)
    expect(confidence).toBeLessThanOrEqual(1)
    for (const { frame, excerpt, marked } of evidence) {
      expect(trace[frame]).toBeDefined()
      if (marked !== undefined) expect(excerpt).toContain(marked)
    }
  }
  if (diagnosis.verdict === "healthy") expect(holdsTools(trace)).toBe(true)
  else expect(diagnosis.hypotheses.length).toBeGreaterThan(0)
}

const aTrace = fc.nat().map((n) => recorded[n % recorded.length]?.trace ?? [])

/** A text somewhere in a value, cut to so many characters. */
const cutText = (value: unknown, place: { left: number }, keep: number): unknown => {
  if (typeof value === "string") return place.left-- === 0 ? value.slice(0, keep) : value
  if (Array.isArray(value)) return value.map((item) => cutText(item, place, keep))
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, cutText(member, place, keep)]),
  )
}

/** A member somewhere in a value, replaced. */
const replaceMember = (value: unknown, place: { left: number }, by: unknown): unknown => {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [
      name,
      place.left-- === 0 ? by : replaceMember(member, place, by),
    ]),
  )
}

const runs = { numRuns: 400 } as const

describe("what is said of a trace that is damaged", () => {
  it("is that a whole trace of an honest server is healthy, and one of any other is not", () => {
    for (const { name, honest, trace } of recorded) {
      const { verdict, hypotheses } = diagnose(trace)
      expect({
        name,
        isHealthy: verdict === "healthy",
        hypotheses: honest ? hypotheses : [],
      }).toEqual({
        name,
        // Some variants are ill only by what is known beside their trace.
        isHealthy: honest || (verdict === "healthy" && name.startsWith("list-is-old")),
        hypotheses: [],
      })
      isSound(trace)
    }
  })

  it("never is healthy for a prefix without the tools", () => {
    for (const { trace } of recorded) {
      for (let length = 0; length <= trace.length; length++) isSound(trace.slice(0, length))
    }
  })

  it("never is healthy for a part without the tools", () => {
    fc.assert(
      fc.property(
        aTrace,
        fc.array(fc.boolean(), { minLength: 120, maxLength: 120 }),
        (trace, kept) => isSound(trace.filter((_, index) => kept[index % kept.length])),
      ),
      runs,
    )
  })

  it("never is healthy for a shuffle that has the tools in no order", () => {
    fc.assert(
      fc.property(
        aTrace.chain((trace) => fc.shuffledSubarray([...trace], { minLength: trace.length })),
        isSound,
      ),
      runs,
    )
  })

  it("never is healthy for messages alone, as a log has them, in any order and number", () => {
    const frames = aTrace.map((trace) => trace.filter(({ type }) => type === "frame"))
    fc.assert(
      fc.property(
        frames.chain((some) =>
          fc.array(
            fc.nat().map((n) => some[n % some.length]),
            { maxLength: 24 },
          ),
        ),
        isSound,
      ),
      runs,
    )
  })

  it("never throws where a text is cut", () => {
    fc.assert(
      fc.property(aTrace, fc.nat(400), fc.nat(12), (trace, left, keep) => {
        const place = { left }
        isSound(trace.map((event) => cutText(event, place, keep)))
      }),
      runs,
    )
  })

  it("never throws where a member is anything at all", () => {
    fc.assert(
      fc.property(aTrace, fc.nat(600), fc.jsonValue(), (trace, left, by) => {
        const place = { left }
        isSound(trace.map((event) => replaceMember(event, place, by)))
      }),
      runs,
    )
  })

  it("never throws for any JSON", () => {
    fc.assert(fc.property(fc.array(fc.jsonValue()), isSound), runs)
  })
})
