import { describe, expect, it } from "vitest"
import type { ConnectOptions, PromiseClient } from "@entente/client"
import type { TraceEvent } from "@entente/trace"
import { legacyServer, modernServer, pages, tool, withRules, type Script } from "@entente/testkit"
import { startHttpPeer, startStdioPeer } from "@entente/testkit/node"
import { http } from "@entente/transport"
import { stdio } from "@entente/transport/stdio"
import { replayCharts, stepsOf, type ReplayStep } from "@entente/doctor"
import { liveRun } from "./live-run.js"

const offers = { tools: [tool("a"), tool("b")], prompts: [{ name: "p" }] }

const replayed = async (events: ReadonlyArray<TraceEvent>) => {
  const trace: Array<TraceEvent> = []
  const steps: Array<ReplayStep> = []
  for await (const step of replayCharts(events, { trace: (event) => trace.push(event) })) steps.push(step)
  return { steps, trace }
}

/** What a step is about, without what differs from run to run. */
const told = (step: ReplayStep) => {
  const { states, status, transitions } = step
  const about =
    step.kind === "frame"
      ? { direction: step.frame.direction, message: step.frame.message }
      : step.kind === "channel"
        ? { event: step.event.event }
        : step.kind === "diverged"
          ? { detail: step.detail }
          : {}
  const moves = transitions.map(({ chart, event, from, to }) => ({ chart, event, from, to }))
  return { kind: step.kind, ...about, status, states, moves }
}

const withoutStamp = ({ seq: _seq, at: _at, ...event }: TraceEvent) => event

interface Run {
  readonly over: "stdio" | "http"
  readonly script: Script
  readonly use: (client: PromiseClient) => Promise<unknown>
  readonly options?: ConnectOptions
}

const recordOf = async ({ over, script, use, options }: Run): Promise<ReadonlyArray<TraceEvent>> => {
  await using peer = over === "http" ? await startHttpPeer(script) : await startStdioPeer(script)
  return await liveRun("url" in peer ? http(peer.url) : stdio(peer), use, options)
}

const runs: Readonly<Record<string, Run>> = {
  "legacy over stdio": {
    over: "stdio",
    script: legacyServer(offers),
    use: async (client) => {
      await client.snapshot()
      await client.callTool({ name: "a", arguments: { text: "one" } })
      await client.ping()
    },
  },
  "V25-HTTP-33 legacy over HTTP, with a session that expires in the middle": {
    over: "http",
    script: withRules(
      legacyServer({ tools: [tool("a")], sessionIds: ["secret-session-1", "secret-session-2"] }),
      { when: { method: "tools/list", nth: 2 }, reply: [{ http: { status: 404 } }] },
    ),
    use: async (client) => {
      await client.tools.list()
      await client.tools.list()
      await client.callTool({ name: "a", arguments: { text: "x" } })
    },
  },
  "modern over HTTP, with a list of two pages": {
    over: "http",
    script: withRules(
      modernServer(offers),
      ...pages("tools/list", [
        { tools: [tool("a")], nextCursor: "p2", ttlMs: 0, cacheScope: "private", resultType: "complete" },
        { tools: [tool("b")], ttlMs: 0, cacheScope: "private", resultType: "complete" },
      ]),
    ),
    use: async (client) => {
      await client.tools.list()
      await client.callTool({ name: "b", arguments: { text: "x" } })
    },
  },
  "a handshake that fails": {
    over: "stdio",
    script: withRules(legacyServer(offers), {
      when: { method: "initialize" },
      reply: [{ error: { code: -32603, message: "no" } }],
    }),
    use: async () => {},
    options: { reconnect: "never" },
  },
}

describe("a replay of a real run", () => {
  for (const [name, run] of Object.entries(runs)) {
    it(`has the states of the live run after each frame: ${name}`, async () => {
      const events = await recordOf(run)
      const { steps } = await replayed(events)
      expect(steps.map(told)).toEqual(stepsOf(events).map(told))
    })

    it(`tells the same frames, statuses, notes and errors in the same order: ${name}`, async () => {
      const events = await recordOf(run)
      const { trace } = await replayed(events)
      // When an exchange ends, after its answer, is nothing that a client waits for.
      const seen = (all: ReadonlyArray<TraceEvent>) =>
        all.filter(({ type }) => type !== "transition" && type !== "outcome").map(withoutStamp)
      expect(seen(trace)).toEqual(seen(events))
      const outcomes = (all: ReadonlyArray<TraceEvent>) =>
        all
          .filter((event) => event.type === "outcome")
          .toSorted((one, other) => one.send - other.send)
          .map(withoutStamp)
      expect(outcomes(trace)).toEqual(outcomes(events))
    })
  }
})
