import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { legacyServer, memoryPeer, modernServer, tool, withRules } from "@entente/testkit"
import { startHttpPeer, startStdioPeer } from "@entente/testkit/node"
import { http, memory, type Transport } from "@entente/transport"
import { stdio } from "@entente/transport/stdio"
import { ids, lists, openedCatalog, standing } from "./peers.js"

const good = () => memoryPeer(legacyServer({ tools: [tool("echo")] })).transport

/** Never opens, and never fails. */
const hanging: Transport = { ...good(), key: "hanging", open: Effect.never }

/** Breaks in ways that no transport should. */
const throwing: Transport = {
  ...good(),
  key: "throwing",
  open: Effect.sync((): never => {
    throw new Error("a fault of somebody's transport")
  }),
}

/** Opens, and never says a word. */
const mute = memory(() => ({ message: () => {} }))

describe("one server costs the others nothing", () => {
  it.each([
    ["that never opens", hanging, "starting"],
    ["whose transport throws", throwing, "waiting"],
    ["that is not there", http("http://127.0.0.1:9/mcp"), "waiting"],
    ["that never answers", mute, "connecting"],
    ["whose command does not exist", stdio({ command: "no-such-command-here" }), "failed"],
    [
      "that dies at its start",
      stdio({ command: process.execPath, args: ["-e", "process.exit(3)"] }),
      "waiting",
    ],
  ] as const)("%s", async (_, bad, state) => {
    await using catalog = await openedCatalog({ bad, good: good() })
    expect(ids(catalog)).toEqual(["good__echo"])
    await standing(catalog, "bad", state)
    expect(catalog.status).toMatchObject([
      { id: "bad", state, counts: { negotiated: 0, listed: 0, exposed: 0 } },
      { id: "good", state: "live", counts: { spawned: 1, negotiated: 1, listed: 1, exposed: 1 } },
    ])
    const result = await catalog.call("good__echo", { n: 1 })
    expect(result.content).toMatchObject([{ type: "text" }])
  })

  it("that refuses shows why, with a code and what to do", async () => {
    await using peer = await startHttpPeer({
      rules: [{ when: {}, reply: [{ http: { status: 401, text: "no" } }] }],
    })
    await using catalog = await openedCatalog({ shut: http(peer.url), good: good() })
    await standing(catalog, "shut", "failed")
    expect(catalog.server("shut")).toMatchObject({
      client: undefined,
      status: {
        state: "failed",
        failures: 1,
        trouble: {
          code: "authorization-required",
          hint: expect.stringContaining("token"),
        },
      },
    })
    await expect(catalog.call("shut__echo")).rejects.toMatchObject({
      _tag: "ServerUnavailable",
      server: "shut",
      state: "failed",
      since: expect.any(Number),
      message: expect.stringMatching(/"shut" is failed since 20\d\d-.*authorization/i),
    })
  })

  it("C011 that has one broken tool, and one twice, shows the sound ones, and says what was set aside", async () => {
    const broken = { name: "bad", inputSchema: { anyOf: [{ type: "object" }, { type: "object" }] } }
    const peer = memoryPeer(withRules(legacyServer({ tools: [] }), lists("ok", broken, "ok")))
    await using catalog = await openedCatalog({ mixed: peer.transport, good: good() })
    await catalog.settled()
    expect(ids(catalog)).toEqual(["mixed__ok", "good__echo"])
    expect(catalog.server("mixed")?.status).toMatchObject({
      counts: { listed: 2, accepted: 1, projected: undefined, exposed: 1 },
      withheld: [{ kind: "quarantined", tool: "bad", pointer: "/inputSchema/type" }],
      notes: [{ code: "item-quarantined" }, { code: "unstable-pagination" }],
    })
  })

  it("C011 where every tool is broken: the server is live, with none, and says why", async () => {
    const peer = memoryPeer(withRules(legacyServer({ tools: [] }), lists({ name: 7 }, { x: 1 })))
    await using catalog = await openedCatalog({ broken: peer.transport })
    await standing(catalog, "broken", "live")
    expect(catalog.server("broken")?.status).toMatchObject({
      counts: { listed: 2, accepted: 0, exposed: 0 },
      withheld: [{ kind: "quarantined" }, { kind: "quarantined" }],
    })
  })

  it("that offers no tools at all is live, and its status says so", async () => {
    const peer = memoryPeer(legacyServer({ prompts: [] }))
    await using catalog = await openedCatalog({ bare: peer.transport, good: good() })
    await standing(catalog, "bare", "live")
    expect(catalog.server("bare")?.status).toMatchObject({
      list: { status: "unsupported", reason: { code: "capability-missing" } },
      trouble: undefined,
    })
  })

  it("over stdio, HTTP and memory, in both eras, side by side", async () => {
    const offer = { tools: [tool("echo")] }
    await using one = await startStdioPeer(legacyServer(offer))
    await using two = await startHttpPeer(modernServer(offer))
    await using three = await startHttpPeer(legacyServer({ ...offer, sessionIds: ["S"] }))
    await using four = await startStdioPeer(modernServer(offer))
    await using catalog = await openedCatalog({
      one: stdio(one),
      two: http(two.url),
      three: http(three.url),
      four: stdio(four),
      five: memoryPeer(modernServer(offer)).transport,
    })
    await catalog.settled()
    expect(ids(catalog)).toEqual(["one", "two", "three", "four", "five"].map((id) => `${id}__echo`))
    for (const id of ids(catalog)) {
      expect((await catalog.call(id)).content).toHaveLength(1)
    }
    expect(catalog.status.map(({ era, transport, state }) => [era, transport, state])).toEqual([
      ["legacy", "stdio", "live"],
      ["modern", "streamable-http", "live"],
      ["legacy", "streamable-http", "live"],
      ["modern", "stdio", "live"],
      ["modern", "memory", "live"],
    ])
  })
})
