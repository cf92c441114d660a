import { inspect } from "node:util"
import { connect } from "@entente/client"
import { examine, examineAll, type Examination } from "@entente/doctor"
import { legacyServer, memoryPeer, tool, type LegacyServerOptions } from "@entente/testkit"
import { startHttpPeer, startStdioPeer } from "@entente/testkit/node"
import { http, type Transport } from "@entente/transport"
import { stdio } from "@entente/transport/stdio"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"

/** What the client itself did: experiments are the doctor's. */
const ownPart = ({ trace }: Examination) => {
  const end = trace.findIndex(({ type }) => type === "experiment")
  return end === -1 ? trace : trace.slice(0, end)
}

const asked = (examination: Examination, method: string): number =>
  ownPart(examination).filter(
    (event) =>
      event.type === "frame" &&
      event.direction === "out" &&
      JSON.stringify(event.message).includes(`"method":"${method}"`),
  ).length

const reached = (examination: Examination, chart: string): ReadonlyArray<string> =>
  ownPart(examination).flatMap((event) =>
    event.type === "transition" && event.chart === chart ? [event.to] : [],
  )

const errorsOf = (examination: Examination) =>
  ownPart(examination).filter(({ type }) => type === "error")

describe("field cases of servers that have no tools to show, or cannot be reached", () => {
  it("C010: a server that offers only resources is not asked for tools, and is not called a failure", async () => {
    const { transport } = memoryPeer(legacyServer({ resources: [{ uri: "file:///a", name: "a" }] }))
    await using client = await connect(transport)
    expect(await client.tools.list()).toMatchObject({ status: "unsupported", items: [] })
    const examination = await examine({ transport: () => transport })
    expect(asked(examination, "tools/list")).toBe(0)
    expect(reached(examination, "connection").some((state) => state.startsWith("ready"))).toBe(true)
    expect(errorsOf(examination)).toEqual([])
    const { verdict, hypotheses, stages } = examination.diagnosis
    expect(verdict).toBe("healthy")
    expect(hypotheses.map(({ code }) => code)).toEqual(["other-things-only"])
    expect(hypotheses[0]?.title).toBe("The server declares no tools, and offers other things only")
    expect(stages.filter(({ status }) => status === "failed")).toEqual([])
  })

  it("C112: three servers that fail in three ways are one error with three causes, and no secret in it", async () => {
    const [token, query, variable] = ["tok-5f1c9a77d2", "q-88c1e20b7a", "env-19d0aa43ce"]
    const refusing = await startHttpPeer({
      rules: [{ when: {}, reply: [{ http: { status: 401, text: `no: ${token}` } }] }],
    })
    const silent = await startStdioPeer({ rules: [{ when: {}, reply: [{ silence: true }] }] })
    try {
      const url = `${refusing.url}?api_key=${query}`
      const headers = { authorization: `Bearer ${token}` }
      const env = { API_KEY: variable }
      const { command, args } = silent
      const began: Array<string> = []
      const { examinations, error } = await examineAll(
        [
          { name: "s1", transport: () => stdio({ command: "no-such-server-here", env }) },
          {
            name: "s2",
            transport: () => http(url, { headers }),
            withoutCredentials: () => http(url),
          },
          { name: "s3", transport: () => stdio({ command, args, env }) },
        ],
        { timeoutMs: 1_000, onProgress: (server) => began.push(server) },
      )
      expect(new Set(began)).toEqual(new Set(["s1", "s2", "s3"]))
      expect(examinations.map(({ name }) => name)).toEqual(["s1", "s2", "s3"])
      expect(error?.causes).toMatchObject([
        { server: "s1", verdict: "failed", stage: "spawn", code: "command-not-found" },
        { server: "s2", verdict: "failed", stage: "negotiate", code: "credentials-refused" },
        { server: "s3", verdict: "failed", stage: "negotiate", code: "handshake-unanswered" },
      ])
      for (const { detail } of error?.causes ?? []) {
        expect(detail.length).toBeGreaterThan(10)
        expect(detail.length).toBeLessThanOrEqual(240)
      }
      const printed = [String(error), JSON.stringify(error), inspect(error, { depth: null })]
      const diagnoses = JSON.stringify(examinations.map(({ diagnosis }) => diagnosis))
      for (const text of [...printed, diagnoses]) {
        for (const secret of [token, query, variable]) expect(text).not.toContain(secret)
      }
      for (const text of printed) {
        expect(text).not.toContain(process.env["PATH"]?.split(":")[0])
        for (const { server, code } of error?.causes ?? []) {
          expect(text).toContain(server)
          expect(text).toContain(code)
        }
      }
    } finally {
      await Promise.all([refusing.close(), silent.close()])
    }
  })

  it("C112: of many servers a few are examined at a time", async () => {
    let open = 0
    let most = 0
    const { transport } = memoryPeer(legacyServer({ tools: [tool("echo")] }))
    const counted: Transport = {
      ...transport,
      open: Effect.andThen(
        Effect.acquireRelease(
          Effect.sync(() => void (most = Math.max(most, ++open))),
          () => Effect.sync(() => void open--),
        ),
        transport.open,
      ),
    }
    const names = ["a", "b", "c", "d", "e"]
    const { error, examinations } = await examineAll(
      names.map((name) => ({ name, transport: () => counted })),
      { concurrency: 2 },
    )
    expect(most).toBe(2)
    expect(error).toBeUndefined()
    expect(examinations.map(({ name }) => name)).toEqual(names)
  })

  describe("C113: an empty list is told apart by what the trace shows, and is no fault of the client", () => {
    const rows: ReadonlyArray<
      readonly [
        name: string,
        server: LegacyServerOptions,
        credentials: boolean,
        expected: string,
        atLeast: number,
      ]
    > = [
      [
        "listChanged: tools may come later",
        { capabilities: { tools: { listChanged: true } } },
        false,
        "tools-may-come-later",
        0.5,
      ],
      [
        "authorized: perhaps filtered by permission",
        { capabilities: { tools: { listChanged: true } } },
        true,
        "perhaps-filtered-by-permission",
        0.5,
      ],
      [
        "neither: the server offers none",
        { capabilities: { tools: {} } },
        false,
        "no-tools-offered",
        0.5,
      ],
    ]
    it.each(rows)("%s", async (_, options, credentials, expected, atLeast) => {
      const peer = await startHttpPeer(legacyServer({ ...options, tools: [] }))
      try {
        const headers = { authorization: "Bearer some-token" }
        const examination = await examine(
          credentials
            ? {
                transport: () => http(peer.url, { headers }),
                withoutCredentials: () => http(peer.url),
              }
            : { transport: () => http(peer.url) },
          { waitMs: 20 },
        )
        const { diagnosis, trace } = examination
        expect(reached(examination, "connection").some((state) => state.startsWith("ready"))).toBe(
          true,
        )
        expect(errorsOf(examination)).toEqual([])
        expect(diagnosis.counts).toEqual({ raw: 0, accepted: 0, exposed: 0 })
        expect(diagnosis.stages.find(({ stage }) => stage === "list")?.status).toBe("warn")
        const [first] = diagnosis.hypotheses
        expect(first?.code).toBe(expected)
        expect(first?.confidence).toBeGreaterThanOrEqual(atLeast)
        // It is only one of several possibilities, and says so.
        expect(first?.confidence).toBeLessThan(0.9)
        // The list was read once more, after a while.
        expect(trace.some((event) => event.type === "experiment" && event.name === "again")).toBe(
          true,
        )
      } finally {
        await peer.close()
      }
    })
  })
})
