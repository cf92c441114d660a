import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect } from "vitest"
import type { Step } from "@entente/testkit"
import {
  connectTo,
  eras,
  following,
  listOf,
  lists,
  serve,
  settle,
  type Era,
} from "./noisy-server.js"

/** When a server says that its list has changed, as a side effect of being asked for it. */
const moments = {
  "before each answer": (change: Step) => () => ({ before: [change] }),
  "after each answer": (change: Step) => () => ({ after: [change] }),
  "before and after each answer": (change: Step) => () => ({ before: [change], after: [change] }),
  "after the last page": (change: Step, pages: number) => (page: number) =>
    page === pages ? { after: [change] } : {},
  "before the first page": (change: Step) => (page: number) =>
    page === 1 ? { before: [change] } : {},
} as const

type Moment = keyof typeof moments

const catalogue = (pages: number) =>
  Array.from({ length: pages }, (_, page) => [`p${page}-a`, `p${page}-b`])

const pass = (ms: number) =>
  Effect.gen(function* () {
    for (let at = 0; at < ms; at += 100) {
      yield* settle
      yield* TestClock.adjust("100 millis")
    }
    yield* settle
  })

const cases = eras.flatMap((era) =>
  Object.keys(moments).flatMap((moment) =>
    [1, 2, 3].map((pages) => [era, moment as Moment, pages] as const),
  ),
)

describe("a server that calls its list changed whenever it is read", () => {
  it.effect.each(cases)(
    "C016 %s: notified %s, %i pages: at most 6 tools/list in 10 s, one note, and a real change is found",
    ([era, moment, pages]: readonly [Era, Moment, number]) =>
      Effect.gen(function* () {
        const { peer, client, change, notify } = yield* connectTo(era)
        const around = moments[moment](change, pages)
        serve(peer, listOf(catalogue(pages), around))
        const { versions, stop } = yield* following(client)
        yield* settle
        yield* pass(10_000)
        expect(lists(peer)).toBeLessThanOrEqual(6)
        expect(client.notes.filter(({ code }) => code === "catalog-churn")).toMatchObject([
          { count: 1 },
        ])
        expect(versions()).toHaveLength(1)
        expect(client.tools.last).toMatchObject({ status: "complete", stale: true, version: 1 })
        // The list is another one now, and nobody says so again.
        serve(peer, listOf([["new"]]))
        yield* pass(16_000)
        expect(versions().at(-1)).toEqual([2, "new"])
        expect(client.tools.state).toBe("live")
        // The pauses begin anew: the next change is seen at once, or soon.
        serve(peer, listOf([["newer"]]))
        notify()
        yield* pass(1_000)
        expect(versions().at(-1)).toEqual([3, "newer"])
        yield* stop
      }),
  )

  it.effect.each(eras)("C016 %s: without followers nothing is read by itself", (era) =>
    Effect.gen(function* () {
      const { peer, client, change } = yield* connectTo(era)
      serve(
        peer,
        listOf([["a"]], () => ({ after: [change] })),
      )
      yield* client.tools.list()
      yield* pass(10_000)
      expect(lists(peer)).toBe(1)
      expect(client.tools.last?.stale).toBe(true)
    }),
  )
})
