import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { describe, expect } from "vitest"
import { legacyServer, memoryPeer, modernServer, pages, tool, withRules } from "@entente/testkit"
import { startHttpPeer, startMisbehaviour, startStdioPeer } from "@entente/testkit/node"
import { Trace } from "@entente/trace"
import { stdio } from "@entente/transport/stdio"
import { connected, names, noted } from "../field/connected.js"
import { connect } from "../field/scripted-http.js"
import { into, taking } from "./annotated.js"

const ok = tool("ok")
const bad = taking("bad", {
  xs: { type: "array", items: { type: "object", properties: { r: into("R") } } },
})
const tools = [ok, bad]

const excluded = {
  page: 0,
  index: 1,
  name: "bad",
  pointer: "/inputSchema/properties/xs/items/properties/r",
  reason: expect.stringMatching(/^not-statically-reachable: /),
}

describe("a tool whose annotation breaks a rule", { timeout: 30_000 }, () => {
  it.each([{}, { strict: true }])(
    "C032 V26-XHDR-04 V26-XHDR-05 is left out over HTTP, with name, place and reason; its siblings stay (%j)",
    async (options) => {
      await using peer = await startHttpPeer(modernServer({ tools }))
      await using client = await connected(peer.url, options)
      const listing = await client.tools.list()
      expect(listing).toMatchObject({ status: "complete", items: [ok], quarantined: [excluded] })
      expect(client.notes).toEqual([
        {
          code: "tool-left-out",
          count: 1,
          detail: expect.stringMatching(
            /^bad, \/tools\/1\/inputSchema\/properties\/xs\/items\/properties\/r: not-statically-reachable/,
          ),
        },
      ])
    },
  )

  it.each<[rule: string, broken: Readonly<Record<string, unknown>>]>([
    ["not-a-token", taking("bad", { r: into("") })],
    ["not-a-token", taking("bad", { r: into("a value") })],
    ["not-a-token", taking("bad", { r: into(null) })],
    ["not-unique", taking("bad", { a: into("Region"), b: into("REGION") })],
    ["not-primitive", taking("bad", { r: into("R", "number") })],
    ["not-primitive", taking("bad", { r: into("R", ["string", "null"]) })],
    ["integer-out-of-range", taking("bad", { r: { ...into("R", "integer"), const: 2 ** 60 } })],
    ["not-statically-reachable", taking("bad", {}, { oneOf: [{ properties: { r: into("R") } }] })],
    ["not-statically-reachable", taking("bad", {}, { $defs: { r: into("R") } })],
  ])("C032 V26-XHDR-03 V26-XHDR-04 T-25 is told the rule: %s", async (rule, broken) => {
    await using peer = await startHttpPeer(modernServer({ tools: [broken, ok] }))
    await using client = await connected(peer.url)
    const { items, quarantined } = await client.tools.list()
    expect(items).toEqual([ok])
    expect(quarantined).toEqual([
      expect.objectContaining({ name: "bad", reason: expect.stringContaining(`${rule}: `) }),
    ])
  })

  it("V26-XHDR-05 leaves one warning each where there are several, on every page", async () => {
    const trace = new Trace()
    const warnings: Array<string> = []
    trace.subscribe((event) => {
      if (event.type === "note") warnings.push(`${event.code} ${event.detail.split(",")[0]}`)
    })
    await using peer = await startHttpPeer(
      withRules(
        modernServer({ tools: [ok] }),
        ...pages("tools/list", [
          { resultType: "complete", tools: [bad, { ...bad, name: "worse" }], nextCursor: "" },
          { resultType: "complete", tools: [ok, { ...bad, name: "worst" }] },
        ]),
      ),
    )
    await using client = await connected(peer.url, { trace })
    const { items, quarantined } = await client.tools.list()
    expect(items).toEqual([ok])
    expect(quarantined).toMatchObject([
      { page: 0, index: 0, name: "bad" },
      { page: 0, index: 1, name: "worse" },
      { page: 1, index: 1, name: "worst" },
    ])
    expect(warnings).toEqual(["tool-left-out bad", "tool-left-out worse", "tool-left-out worst"])
  })

  it("T-25 V26-XHDR-06 is none where the annotation is in the outputSchema, or is a name or a value", async () => {
    const good = [
      tool("a", { outputSchema: { type: "object", properties: { x: { items: into("X Y") } } } }),
      taking("b", { "x-mcp-header": { type: "number" } }),
      taking("c", { of: { type: "object", default: into("No Token"), examples: [into("")] } }),
    ]
    await using peer = await startHttpPeer(modernServer({ tools: good }))
    await using client = await connected(peer.url)
    expect((await client.tools.list()).items).toEqual(good)
    expect(noted(client)).toEqual([])
  })

  it("C032 V26-XHDR-02 V26-DUAL-12 T-26 stays where the annotation means nothing", async () => {
    await using legacy = await startHttpPeer(legacyServer({ tools }))
    await using legacyClient = await connected(legacy.url)
    const memory = memoryPeer(modernServer({ tools }))
    await using memoryClient = await connected(memory.transport)
    await using process = await startStdioPeer(modernServer({ tools }))
    await using stdioClient = await connected(stdio(process))
    expect([legacyClient.era, memoryClient.era, stdioClient.era]).toEqual([
      "legacy",
      "modern",
      "modern",
    ])
    for (const client of [legacyClient, memoryClient, stdioClient]) {
      const listing = await client.tools.list()
      expect(listing.items).toEqual(tools)
      expect(listing.quarantined).toEqual([])
      expect(noted(client)).not.toContain("tool-left-out")
    }
  })

  it.effect("C032 V26-XHDR-04 is left out of streams, pages and snapshots too", () =>
    Effect.gen(function* () {
      const { client } = yield* connect(modernServer({ tools }), { mode: "auto" })
      expect(yield* Stream.runCollect(client.tools.stream())).toEqual([ok])
      expect(yield* Stream.runCollect(client.tools.pages())).toMatchObject([
        { items: [ok], quarantined: [excluded] },
      ])
      const { lists } = yield* client.snapshot()
      expect(lists.tools).toMatchObject({ items: [ok], quarantined: [excluded] })
    }),
  )

  it("C032 V26-XHDR-04 V26-XHDR-05 as the testkit plays it: bad-header-annotation", async () => {
    await using overHttp = await startMisbehaviour("bad-header-annotation", { over: "http" })
    await using client = await connected("url" in overHttp.target ? overHttp.target.url : "")
    const { items, quarantined } = await client.tools.list()
    expect(names(items)).toEqual(["echo"])
    expect(quarantined).toMatchObject([
      { name: "bad", pointer: "/inputSchema/properties/regions/items/properties/r" },
    ])
    expect(noted(client)).toContain("tool-left-out")
  })
})
