import { isDeepStrictEqual } from "node:util"
import { diagnose } from "@entente/doctor"
import { isJsonObject } from "@entente/protocol"
import type { TraceEvent } from "@entente/trace"
import * as fc from "fast-check"
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

/** What is wrong with a diagnosis, whatever was diagnosed; nothing, if all is well. */
const faultsOf = (trace: ReadonlyArray<unknown>): ReadonlyArray<string> => {
  // Whatever a file held, seen as a trace: that is what is tested.
  const diagnosis = diagnose(trace as ReadonlyArray<TraceEvent>)
  const { verdict, hypotheses } = diagnosis
  const shown = hypotheses.flatMap(({ evidence }) => evidence)
  const faults: Readonly<Record<string, boolean>> = {
    "healthy without tools": verdict === "healthy" && !holdsTools(trace),
    "ill without a cause": verdict !== "healthy" && hypotheses.length === 0,
    "a confidence beyond its bounds": hypotheses.some(
      ({ confidence }) => !(confidence > 0 && confidence <= 1),
    ),
    "evidence that is not in the trace": shown.some(({ frame }) => trace[frame] === undefined),
    "a mark that is not in its excerpt": shown.some(
      ({ excerpt, marked }) => marked !== undefined && !excerpt.includes(marked),
    ),
    "no JSON": !isDeepStrictEqual(JSON.parse(JSON.stringify(diagnosis)), diagnosis),
  }
  return Object.keys(faults).filter((fault) => faults[fault] === true)
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
      expect(faultsOf(trace)).toEqual([])
    }
  })

  it("never is healthy for a prefix without the tools", () => {
    for (const { trace } of recorded) {
      for (let length = 0; length <= trace.length; length++) {
        expect(faultsOf(trace.slice(0, length))).toEqual([])
      }
    }
  })

  it("never is healthy for a part without the tools", () => {
    fc.assert(
      fc.property(
        aTrace,
        fc.array(fc.boolean(), { minLength: 120, maxLength: 120 }),
        (trace, kept) => {
          const some = trace.filter((_, index) => kept[index % kept.length])
          expect(faultsOf(some)).toEqual([])
        },
      ),
      runs,
    )
  })

  it("never is healthy for a shuffle that has the tools in no order", () => {
    fc.assert(
      fc.property(
        aTrace.chain((trace) => fc.shuffledSubarray([...trace], { minLength: trace.length })),
        (trace) => {
          expect(faultsOf(trace)).toEqual([])
        },
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
        (trace) => {
          expect(faultsOf(trace)).toEqual([])
        },
      ),
      runs,
    )
  })

  it("never throws where a text is cut", () => {
    fc.assert(
      fc.property(aTrace, fc.nat(400), fc.nat(12), (trace, left, keep) => {
        const place = { left }
        expect(faultsOf(trace.map((event) => cutText(event, place, keep)))).toEqual([])
      }),
      runs,
    )
  })

  it("never throws where a member is anything at all", () => {
    fc.assert(
      fc.property(aTrace, fc.nat(600), fc.jsonValue(), (trace, left, by) => {
        const place = { left }
        expect(faultsOf(trace.map((event) => replaceMember(event, place, by)))).toEqual([])
      }),
      runs,
    )
  })

  it("never throws for any JSON", () => {
    fc.assert(
      fc.property(fc.array(fc.jsonValue()), (trace) => {
        expect(faultsOf(trace)).toEqual([])
      }),
      runs,
    )
  })
})
