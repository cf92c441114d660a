import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import type { JsonObject } from "@entente/protocol"
import {
  legacyServer,
  memoryPeer,
  modernServer,
  tool,
  type ReceivedRequest,
} from "@entente/testkit"
import { startHttpPeer } from "@entente/testkit/node"
import { http } from "@entente/transport"
import { asking, done, form, inputRequired } from "../conversation/asking-server.js"
import { connected, reasonOf } from "../field/connected.js"
import { connect } from "../field/scripted-http.js"
import { into, mirroredOf, plain, regional, taking } from "./annotated.js"

const call = (args: JsonObject) => ({ name: "move", arguments: args })
const sole = (requests: ReadonlyArray<ReceivedRequest>): ReceivedRequest => {
  const [request] = requests
  if (request === undefined || requests.length > 1) throw new Error(`${requests.length} requests`)
  return request
}

describe("a call of a tool with annotations", { timeout: 30_000 }, () => {
  const everything = taking("Grüße", {
    plain: into("Plain"),
    empty: into("Empty"),
    method: into("Method"),
    umlaut: into("Umlaut"),
    padded: into("Padded"),
    lines: into("Lines"),
    marked: into("Marked"),
    tab: into("Tab"),
    count: into("Count", "integer"),
    minus: into("Minus", "integer"),
    yes: into("Yes", "boolean"),
    no: into("No", "boolean"),
    nothing: into("Nothing"),
    missing: into("Missing"),
    unmarked: { type: "string" },
    share: { type: "number" },
    to: { type: "object", properties: { city: into("City") } },
  })
  const args = {
    plain: "us-west1",
    empty: "",
    method: "by road",
    umlaut: "Hello, 世界",
    padded: " padded ",
    lines: "line1\nline2",
    marked: "=?base64?literal?=",
    tab: "a\tb",
    count: 42,
    minus: -7,
    yes: true,
    no: false,
    nothing: null,
    unmarked: "secret",
    share: 0.5,
    to: { city: "Liège" },
  }
  const headers = {
    "mcp-param-plain": "us-west1",
    "mcp-param-empty": "",
    "mcp-param-method": "by road",
    "mcp-param-umlaut": "=?base64?SGVsbG8sIOS4lueVjA==?=",
    "mcp-param-padded": "=?base64?IHBhZGRlZCA=?=",
    "mcp-param-lines": "=?base64?bGluZTEKbGluZTI=?=",
    "mcp-param-marked": "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?=",
    "mcp-param-tab": "=?base64?YQli?=",
    "mcp-param-count": "42",
    "mcp-param-minus": "-7",
    "mcp-param-yes": "true",
    "mcp-param-no": "false",
    "mcp-param-city": "=?base64?TGnDqGdl?=",
  }

  it("V26-XHDR-01 V26-XHDR-07 V26-XHDR-08 V26-XHDR-09 V26-XHDR-10 V26-XHDR-11 V26-XHDR-12 V26-XHDR-16 V26-HDR-05 V26-HDR-09 repeats arguments so that a strict server is content", async () => {
    await using peer = await startHttpPeer(modernServer({ tools: [everything] }))
    await using client = await connected(peer.url)
    await client.tools.list()
    const result = await client.callTool({ name: "Grüße", arguments: args })
    expect(result.content).toEqual([{ type: "text", text: JSON.stringify(args) }])
    const request = sole(peer.requests("tools/call"))
    expect(mirroredOf(request)).toEqual(headers)
    expect(request.headers).toMatchObject({
      "mcp-method": "tools/call",
      "mcp-name": "=?base64?R3LDvMOfZQ==?=",
    })
    expect(request.message.params).toMatchObject({ arguments: args })
  })

  it.effect("V26-XHDR-01 does so through both doors, and where the method is named by hand", () =>
    Effect.gen(function* () {
      const { peer, client } = yield* connect(modernServer({ tools: [regional] }), { mode: "auto" })
      yield* client.tools.list()
      yield* client.callTool(call({ region: "eu" }))
      yield* client.request("tools/call", call({ region: "eu" }))
      for (const request of peer.requests("tools/call")) {
        expect(mirroredOf(request)).toEqual({ "mcp-param-region": "eu" })
      }
      expect(peer.requests("tools/call")).toHaveLength(2)
    }),
  )

  it("V26-XHDR-14 is built from the newest description, whoever read it, also in part", async () => {
    await using peer = await startHttpPeer(modernServer({ tools: [tool("a"), regional] }))
    await using client = await connected(peer.url)
    const headersNow = async () => {
      await client.callTool(call({ region: "eu", note: "x" }))
      return mirroredOf(peer.requests("tools/call").at(-1) as ReceivedRequest)
    }
    for await (const { name } of client.tools.all()) if (name === "a") break
    expect(await headersNow()).toEqual({ "mcp-param-region": "eu" })

    const renamed = taking("move", { region: into("Zone"), note: into("Note") })
    peer.replace(modernServer({ tools: [renamed] }).rules)
    for await (const _ of client.tools.pages()) break
    expect(await headersNow()).toEqual({ "mcp-param-zone": "eu", "mcp-param-note": "x" })

    peer.replace(modernServer({ tools: [plain] }).rules)
    await client.tools.list()
    expect(await headersNow()).toEqual({})
  })

  it("V26-XHDR-14 has no such headers before any listing", async () => {
    await using peer = await startHttpPeer(modernServer({ tools: [plain] }))
    await using client = await connected(peer.url)
    await client.callTool(call({ region: "eu" }))
    expect(mirroredOf(sole(peer.requests("tools/call")))).toEqual({})
    expect(peer.requests("tools/list")).toEqual([])
  })

  it("V26-XHDR-15 T-27 has the same headers and name in every round", async () => {
    const asks = inputRequired({ inputRequests: { q: form("?") }, requestState: "s1" })
    const script = asking([asks, { ...asks, requestState: "s2" }, done])
    await using peer = await startHttpPeer({
      ...script,
      rules: [...script.rules.slice(0, 3), ...modernServer({ tools: [regional] }).rules],
    })
    await using client = await connected(peer.url, {
      handlers: { elicitation: { form: () => ({ action: "accept", content: { ok: true } }) } },
    })
    await client.tools.list()
    await expect(client.callTool(call({ region: "Liège" }))).resolves.toMatchObject(done)
    const requests = peer.requests("tools/call")
    expect(requests).toHaveLength(3)
    for (const request of requests) {
      expect(mirroredOf(request)).toEqual({ "mcp-param-region": "=?base64?TGnDqGdl?=" })
      expect(request.headers?.["mcp-name"]).toBe("move")
    }
  })

  it.each<[what: string, value: unknown]>([
    ["an integer beyond what is safe", 2 ** 60],
    ["a fraction", 1.5],
    ["an integer as text", "42"],
    ["an object", { toString: "x" }],
  ])("V26-XHDR-17 is refused here where the argument is %s: nothing is sent", async (_, count) => {
    const counting = taking("move", { count: into("Count", "integer") })
    await using peer = await startHttpPeer(modernServer({ tools: [counting] }))
    await using client = await connected(peer.url)
    await client.tools.list()
    const before = peer.received.length
    const error = await reasonOf(client.callTool(call({ count })))
    expect(error).toMatchObject({
      _tag: "InvalidInput",
      code: "invalid-input",
      stage: "input",
      message: expect.stringContaining("/count"),
    })
    await client.tools.list()
    expect(peer.received.slice(before).map(({ kind }) => kind)).toEqual(["request"])
    expect(peer.requests("tools/call")).toEqual([])
  })

  it("V26-SEC-06 can't be made to say anything else by a line break, nor by headers of the caller", async () => {
    await using peer = await startHttpPeer(modernServer({ tools: [regional] }))
    await using client = await connected(http(peer.url, { headers: { "Mcp-Param-Region": "us" } }))
    await client.tools.list()
    const region = "eu\r\nX-Admin: 1\r\n\r\nPOST / HTTP/1.1"
    await client.callTool(call({ region }), { headers: { "mcp-param-region": "us" } })
    const request = sole(peer.requests("tools/call"))
    const encoded = `=?base64?${Buffer.from(region).toString("base64")}?=`
    expect(mirroredOf(request)).toEqual({ "mcp-param-region": encoded })
    expect(request.headers).not.toHaveProperty("x-admin")
  })

  it("V26-XHDR-18 can be asked beforehand which of its arguments leave as headers", async () => {
    const nested = taking("move", { to: taking("", { city: into("City") })["inputSchema"] })
    await using peer = await startHttpPeer(modernServer({ tools: [nested, tool("a")] }))
    await using client = await connected(peer.url)
    expect(client.mirroredArguments("move")).toEqual([])
    await client.tools.list()
    expect(client.mirroredArguments("move")).toEqual([
      { path: ["to", "city"], name: "City", type: "string" },
    ])
    for (const name of ["a", "unknown", "__proto__", "constructor"]) {
      expect(client.mirroredArguments(name)).toEqual([])
    }
  })

  it("V26-XHDR-02 V26-DUAL-12 has no such headers in the legacy era, and none over other transports", async () => {
    await using peer = await startHttpPeer(legacyServer({ tools: [regional] }))
    await using client = await connected(peer.url)
    await client.tools.list()
    await client.callTool(call({ region: 7 }))
    expect(mirroredOf(sole(peer.requests("tools/call")))).toEqual({})
    expect(client.mirroredArguments("move")).toEqual([])

    const memory = memoryPeer(modernServer({ tools: [regional] }))
    await using other = await connected(memory.transport)
    await other.tools.list()
    await other.callTool(call({ region: 7 }))
    expect(other.mirroredArguments("move")).toEqual([])
  })

  it.effect("V26-XHDR-14 is remembered of no more tools than a list may have", () =>
    Effect.gen(function* () {
      const { peer, client } = yield* connect(modernServer({ tools: [] }), {
        mode: "auto",
        lists: { maxItems: 3 },
      })
      for (const names of [["a", "b"], ["c"], ["a"], ["d"]]) {
        const tools = names.map((name) => taking(name, { region: into("Region") }))
        peer.replace(modernServer({ tools }).rules)
        yield* client.tools.list()
      }
      const known = ["a", "b", "c", "d"].filter((name) => client.mirroredArguments(name).length > 0)
      expect(known).toEqual(["a", "c", "d"])
    }),
  )
})

describe("a tool", () => {
  it("V26-XHDR-07 whose arguments are none, or no object, is called without such headers", async () => {
    await using peer = await startHttpPeer(modernServer({ tools: [regional] }))
    await using client = await connected(peer.url)
    await client.tools.list()
    const requests: ReadonlyArray<JsonObject | undefined> = [
      { name: "move" },
      { name: "move", arguments: null },
      { name: "move", arguments: ["eu"] },
      { name: 7 },
      undefined,
    ]
    for (const params of requests) await reasonOf(client.request("tools/call", params))
    expect(peer.requests("tools/call").map(mirroredOf)).toEqual(requests.map(() => ({})))
  })
})
