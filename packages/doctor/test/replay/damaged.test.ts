import * as FastCheck from "fast-check"
import { beforeAll, describe, expect, it } from "vitest"
import { encodeEvent, TraceDecoder, traceHeader, type TraceEvent } from "@entente/trace"
import { legacyServer, modernServer, tool } from "@entente/testkit"
import { startHttpPeer, startStdioPeer } from "@entente/testkit/node"
import { http } from "@entente/transport"
import { stdio } from "@entente/transport/stdio"
import { replayCharts, type ReplayStep } from "@entente/doctor"
import { liveRun } from "./live-run.js"
import { answer, notice, recordingOf, request } from "./recording-of.js"

const offers = { tools: [tool("a")], prompts: [{ name: "p" }] }

const stepsFor = async (events: ReadonlyArray<TraceEvent>): Promise<ReadonlyArray<ReplayStep>> => {
  const steps: Array<ReplayStep> = []
  for await (const step of replayCharts(events)) steps.push(step)
  return steps
}

/** The steps, or the tag of the error that says that there is nothing to replay. */
const outcomeOf = async (events: ReadonlyArray<TraceEvent>): Promise<unknown> => {
  try {
    return await stepsFor(events)
  } catch (error) {
    const { _tag } = error as { readonly _tag: unknown } // anything else fails the test below
    return _tag
  }
}

const isOutcome = (outcome: unknown): boolean =>
  Array.isArray(outcome) || outcome === "InvalidInput"

const recordings: Array<ReadonlyArray<TraceEvent>> = []

beforeAll(async () => {
  await using stdioPeer = await startStdioPeer(legacyServer(offers))
  await using httpPeer = await startHttpPeer(modernServer(offers))
  recordings.push(
    await liveRun(stdio(stdioPeer), (client) => client.snapshot()),
    await liveRun(http(httpPeer.url), (client) => client.snapshot()),
  )
})

describe("a recording that is damaged", () => {
  it("is replayed as far as it goes, wherever it is cut", async () => {
    for (const events of recordings) {
      for (let length = 0; length <= events.length; length++) {
        const outcome = await outcomeOf(events.slice(0, length))
        expect(outcome).toSatisfy(isOutcome)
      }
    }
  })

  it("never throws anything else and never hangs, whatever is missing or out of order", async () => {
    await FastCheck.assert(
      FastCheck.asyncProperty(
        FastCheck.nat({ max: 1 }),
        FastCheck.array(FastCheck.nat({ max: 60 }), { maxLength: 40 }),
        FastCheck.boolean(),
        async (which, picks, dropping) => {
          const events = recordings[which] ?? []
          const others = events.filter((_, index) => !picks.includes(index))
          const shuffled = picks.flatMap((pick) => events[pick] ?? [])
          const given = dropping ? others : [...shuffled, ...others]
          expect(await outcomeOf(given)).toSatisfy(isOutcome)
        },
      ),
      { numRuns: 60 },
    )
  })

  it("survives a trace file that ends in the middle of a line", async () => {
    const [events = []] = recordings
    const text = [traceHeader, ...events.map(encodeEvent)].join("\n")
    const decoder = new TraceDecoder()
    const lines = [...decoder.push(text.slice(0, text.length / 2)), ...decoder.end()]
    expect(lines.at(-1)).toMatchObject({ kind: "problem", code: "truncated" })
    const kept = lines.flatMap((line) => (line.kind === "event" ? [line.event] : []))
    expect((await stepsFor(kept)).length).toBeGreaterThan(2)
  })

  it("replays the last of the recordings that one file holds", async () => {
    const [first = [], second = []] = recordings
    expect(await stepsFor([...first, ...second])).toEqual(await stepsFor(second))
  })

  it("takes no hostile message for more than it is", async () => {
    let deep: unknown = 1
    for (let depth = 0; depth < 20_000; depth++) deep = [deep]
    const poisoned: unknown = JSON.parse('{"toString":1,"__proto__":{"method":"x"}}')
    const steps = await stepsFor(
      recordingOf([
        ["out", request(poisoned, "initialize", { protocolVersion: poisoned, capabilities: deep })],
        ["in", answer(poisoned, deep)],
        ["out", notice("notifications/cancelled", { requestId: poisoned })],
        ["out", request(1, "__proto__", poisoned)],
        ["in", deep],
        ["in", "\u001b[2J", Number.MAX_SAFE_INTEGER],
        ["out", request(2, "tools/list", deep), -1e15],
      ]),
    )
    expect(steps.length).toBeGreaterThan(0)
  })
})
