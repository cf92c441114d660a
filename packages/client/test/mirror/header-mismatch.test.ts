import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import { describe, expect } from "vitest"
import {
  memoryPeer,
  modernServer,
  pages,
  refusal,
  tool,
  withRules,
  type Rule,
  type Script,
} from "@entente/testkit"
import { startHttpPeer, startMisbehaviour } from "@entente/testkit/node"
import { asking, done, inputRequired } from "../conversation/asking-server.js"
import { connected, names, noted, reasonOf } from "../field/connected.js"
import { connect, until } from "../field/scripted-http.js"
import { into, mirroredOf, plain, regional, taking } from "./annotated.js"

const call = { name: "move", arguments: { region: "us-west1" } }
const answer = { content: [{ type: "text", text: '{"region":"us-west1"}' }] }
const words = "Header mismatch: Mcp-Param-Region is missing"
const mismatch = refusal(400, -32020, words)
const peerError = {
  _tag: "PeerError",
  code: "peer-error",
  method: "tools/call",
  rpcCode: -32020,
  rpcMessage: words,
  status: 400,
}

const listed = (...tools: ReadonlyArray<object>) => ({ resultType: "complete", tools })
/** A list that says the first time what no longer holds. */
const staleAtFirst: Rule = {
  when: { method: "tools/list" },
  times: 1,
  reply: [{ result: listed(plain) }],
}
const refusing = (...more: ReadonlyArray<Rule>): Script =>
  withRules(modernServer({ tools: [regional] }), ...more, {
    when: { method: "tools/call" },
    reply: mismatch,
  })

describe("a call whose headers are refused with -32020", { timeout: 30_000 }, () => {
  it("C031 V26-XHDR-13 V26-HDR-09 T-27 is made again once, with the headers of a fresh description and a new id", async () => {
    await using peer = await startHttpPeer(
      withRules(modernServer({ tools: [regional] }), staleAtFirst),
    )
    await using client = await connected(peer.url)
    await client.tools.list()
    expect(await client.callTool(call)).toMatchObject(answer)
    expect(peer.methods().slice(1)).toEqual([
      "tools/list",
      "tools/call",
      "tools/list",
      "tools/call",
    ])
    const [first, second] = peer.requests("tools/call")
    expect(first && mirroredOf(first)).toEqual({})
    expect(second && mirroredOf(second)).toEqual({ "mcp-param-region": "us-west1" })
    expect(second?.message.id).not.toBe(first?.message.id)
    expect(second?.headers?.["mcp-name"]).toBe("move")
    expect(second?.message.params).toMatchObject(call)
    expect(client.notes).toEqual([{ code: "headers-rebuilt", count: 1, detail: "move" }])

    await client.callTool(call)
    expect(peer.requests("tools/list")).toHaveLength(2)
    expect(peer.requests("tools/call")).toHaveLength(3)
  })

  it.effect("C031 V26-XHDR-13 V26-XHDR-14 is repaired too where no listing was ever read", () =>
    Effect.gen(function* () {
      const { peer, client } = yield* connect(modernServer({ tools: [regional] }), { mode: "auto" })
      expect(yield* client.callTool(call)).toMatchObject(answer)
      expect(yield* client.request("tools/call", call)).toMatchObject(answer)
      expect(peer.methods().slice(1)).toEqual([
        "tools/call",
        "tools/list",
        "tools/call",
        "tools/call",
      ])
    }),
  )

  it("C031 V26-XHDR-13 ends with the server's error where it is refused again", async () => {
    await using peer = await startHttpPeer(refusing())
    await using client = await connected(peer.url)
    expect(await reasonOf(client.callTool(call))).toMatchObject(peerError)
    expect(peer.methods().slice(1)).toEqual(["tools/call", "tools/list", "tools/call"])
    expect(client.state).toBe("ready")
  })

  it("C031 V26-HDR-09 as the testkit plays it: header-mismatch", async () => {
    await using started = await startMisbehaviour("header-mismatch", { over: "http" })
    await using client = await connected("url" in started.target ? started.target.url : "")
    expect(await reasonOf(client.callTool({ name: "echo" }))).toMatchObject(peerError)
    expect(started.peer.requests("tools/call")).toHaveLength(2)
    expect(started.peer.requests("tools/list")).toHaveLength(1)
  })

  it.each<[what: string, list: ReadonlyArray<Rule>, lists: number]>([
    ["is gone", pages("tools/list", [listed(tool("a"))]), 1],
    [
      "may not be offered",
      pages("tools/list", [
        { ...listed(taking("move", { region: into("no token") })), nextCursor: "2" },
        listed(tool("a")),
      ]),
      1,
    ],
    ["can't be listed", [{ when: { method: "tools/list" }, reply: refusal(200, -32603, "no") }], 1],
    [
      "is in no list that ends",
      [
        {
          when: { method: "tools/list" },
          reply: [{ result: { ...listed(tool("a")), nextCursor: "again" } }],
        },
      ],
      2,
    ],
  ])("C031 V26-XHDR-13 is not made again where the tool %s", async (_, list, lists) => {
    await using peer = await startHttpPeer(refusing(...list))
    await using client = await connected(peer.url)
    expect(await reasonOf(client.callTool(call))).toMatchObject(peerError)
    expect(peer.requests("tools/call")).toHaveLength(1)
    expect(peer.requests("tools/list")).toHaveLength(lists)
    expect(noted(client)).not.toContain("headers-rebuilt")
  })

  it("C031 V26-XHDR-17 is not made again where the fresh description can't take the argument", async () => {
    const counting = taking("move", { region: into("Region", "integer") })
    const list = pages("tools/list", [listed(counting)])
    await using peer = await startHttpPeer(refusing(...list))
    await using client = await connected(peer.url)
    expect(await reasonOf(client.callTool(call))).toMatchObject({ _tag: "InvalidInput" })
    expect(peer.requests("tools/call")).toHaveLength(1)
  })

  it("C031 reads the list no further than to its tool, and disturbs nobody who reads it", async () => {
    const rules = pages("tools/list", [
      { ...listed(tool("a")), nextCursor: "2" },
      { ...listed(regional), nextCursor: "3" },
      listed(tool("z")),
    ])
    await using peer = await startHttpPeer(withRules(modernServer({ tools: [regional] }), ...rules))
    await using client = await connected(peer.url)
    const seen: Array<string> = []
    const results: Array<unknown> = []
    for await (const { items, page } of client.tools.pages()) {
      seen.push(...names(items))
      if (page === 1) results.push(await client.callTool(call))
    }
    expect(results).toMatchObject([answer])
    expect(seen).toEqual(["a", "move", "z"])
    expect(client.tools.last).toBeUndefined()
    expect(peer.requests("tools/list").map(({ message }) => message.params?.["cursor"])).toEqual([
      undefined,
      undefined,
      "2",
      "2",
      "3",
    ])
    expect(noted(client)).toEqual(["headers-rebuilt"])
  })

  it("C031 V26-XHDR-15 is made again also where it is a later round", async () => {
    const script = asking([inputRequired({ requestState: "s1" }), done])
    const [asks] = script.rules
    await using peer = await startHttpPeer(
      withRules(
        modernServer({ tools: [regional] }),
        staleAtFirst,
        ...(asks === undefined ? [] : [asks]),
      ),
    )
    await using client = await connected(peer.url)
    await client.tools.list()
    expect(await client.callTool(call)).toMatchObject(answer)
    const requests = peer.requests("tools/call")
    expect(requests.map(mirroredOf)).toEqual([{}, {}, { "mcp-param-region": "us-west1" }])
    expect(requests.map(({ message }) => message.params?.["requestState"])).toEqual([
      undefined,
      "s1",
      "s1",
    ])
  })

  it("V26-XHDR-13 carries the headers and limits of its caller also when the list is read", async () => {
    await using peer = await startHttpPeer(modernServer({ tools: [regional] }))
    await using client = await connected(peer.url)
    await client.callTool(call, { headers: { authorization: "Bearer other" }, timeoutMs: 30_000 })
    for (const { headers, message } of peer.requests()) {
      const wanted = message.method === "server/discover" ? undefined : "Bearer other"
      expect(headers?.["authorization"]).toBe(wanted)
    }
  })

  it("V26-XHDR-13 fails at once for a prompt or a resource: no header repeats what they take", async () => {
    await using peer = await startHttpPeer(
      withRules(
        modernServer({ tools: [regional], prompts: [], resources: [] }),
        { when: { method: "prompts/get" }, reply: mismatch },
        { when: { method: "resources/read" }, reply: mismatch },
      ),
    )
    await using client = await connected(peer.url)
    for (const method of ["prompts/get", "resources/read"] as const) {
      const params = { name: "a", uri: "x:a" }
      expect(await reasonOf(client.request(method, params))).toMatchObject({ rpcCode: -32020 })
      expect(peer.requests(method)).toHaveLength(1)
    }
    expect(peer.requests("tools/list")).toEqual([])
  })

  it("V26-XHDR-02 fails at once over a transport without headers", async () => {
    const peer = memoryPeer(
      withRules(modernServer({ tools: [regional] }), {
        when: { method: "tools/call" },
        reply: [{ error: { code: -32020, message: words } }],
      }),
    )
    await using client = await connected(peer.transport)
    expect(await reasonOf(client.callTool(call))).toMatchObject({ rpcCode: -32020 })
    expect(peer.methods().slice(1)).toEqual(["tools/call"])
  })

  const hanging: Rule = { when: { method: "tools/list" }, reply: [{ silence: true }] }

  it("C031 can be cancelled while its tool is read again: nothing more is sent", async () => {
    await using peer = await startHttpPeer(refusing(hanging))
    await using client = await connected(peer.url)
    const abort = new AbortController()
    const called = reasonOf(client.callTool(call, { signal: abort.signal }))
    await peer.next("tools/list")
    abort.abort()
    expect(await called).toMatchObject({ _tag: "RequestAborted", method: "tools/call" })
    await client.close()
    expect(peer.methods().slice(1)).toEqual(["tools/call", "tools/list"])
  })

  it("C031 can be cancelled when it is made again", async () => {
    const rule: Rule = { when: { method: "tools/call", nth: 2 }, reply: [{ silence: true }] }
    await using peer = await startHttpPeer(
      withRules(modernServer({ tools: [regional] }), rule, {
        when: { method: "tools/call" },
        reply: mismatch,
      }),
    )
    await using client = await connected(peer.url)
    const abort = new AbortController()
    const called = reasonOf(client.callTool(call, { signal: abort.signal }))
    await peer.next("tools/call")
    await peer.next("tools/call")
    abort.abort()
    expect(await called).toMatchObject({ _tag: "RequestAborted" })
    await client.close()
    expect(peer.methods().slice(1)).toEqual(["tools/call", "tools/list", "tools/call"])
  })

  it.effect("C031 ends with the connection while its tool is read again", () =>
    Effect.gen(function* () {
      const { peer, client } = yield* connect(refusing(hanging), { mode: "auto" })
      const fiber = yield* Effect.forkChild(Effect.flip(client.callTool(call)))
      yield* until(() => peer.requests("tools/list").length === 1)
      yield* client.close
      const error = yield* Fiber.join(fiber)
      expect(["ConnectionClosed", "PeerError"]).toContain(error._tag)
      expect(peer.requests("tools/call")).toHaveLength(1)
    }),
  )
})
