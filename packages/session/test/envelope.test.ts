import { metaKey, type JsonRpcMessage } from "@entente/protocol"
import { describe, expect, it } from "vitest"
import { makeDresser, parseSessionId, type Identity, type LegacyIdentity } from "../src/index.js"

const clientInfo = { name: "demo", version: "1" }
const modern: Identity = {
  era: "modern",
  revision: "2026-07-28",
  clientInfo,
  clientCapabilities: { elicitation: {} },
  http: true,
}
const own = {
  [metaKey.protocolVersion]: "2026-07-28",
  [metaKey.clientCapabilities]: { elicitation: {} },
  [metaKey.clientInfo]: clientInfo,
}

const request = (method: string, params?: JsonRpcMessage & object): JsonRpcMessage => ({
  jsonrpc: "2.0",
  id: 1,
  method,
  ...(params === undefined ? {} : { params: params as never }),
})

const call = (method: string, params: object): JsonRpcMessage => ({
  jsonrpc: "2.0",
  id: 1,
  method,
  params: { ...params },
})

const trace = { traceparent: `00-${"a".repeat(32)}-${"b".repeat(16)}-01`, tracestate: "a=1" }

describe("a modern identity", () => {
  const dress = makeDresser(modern)

  it("V26-META-01 V26-META-02 V26-META-03 puts version, capabilities and client on every request", () => {
    expect(dress(request("tools/list")).message).toEqual({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/list",
      params: { _meta: own },
    })
  })

  it("V26-META-14 V26-TRACE-01 says where a request stands in a trace, under names without a prefix", () => {
    const { message } = dress(request("tools/list"), { trace, progressToken: 7 })
    expect(message).toEqual(call("tools/list", { _meta: { ...own, ...trace, progressToken: 7 } }))
  })

  it("V26-META-03 leaves the client out when the host wants it so", () => {
    const { clientInfo: _, ...anonymous } = modern as typeof modern & { readonly era: "modern" }
    const { message } = makeDresser(anonymous)(request("tools/list"))
    expect(message).toMatchObject({
      params: { _meta: { [metaKey.protocolVersion]: "2026-07-28" } },
    })
    expect(JSON.stringify(message)).not.toContain("clientInfo")
  })

  it("keeps everything else, and changes nothing it was given", () => {
    const message = call("tools/call", {
      name: "t",
      arguments: { a: 1 },
      _meta: { progressToken: 7, [metaKey.protocolVersion]: "1999-01-01", "com.example/x": {} },
    })
    const before = structuredClone(message)
    expect(dress(message).message).toEqual({
      ...before,
      params: {
        name: "t",
        arguments: { a: 1 },
        _meta: { progressToken: 7, "com.example/x": {}, ...own },
      },
    })
    expect(message).toEqual(before)
  })

  it.each(["__proto__", "constructor"])("a member called %s stays an ordinary member", (name) => {
    const params = JSON.parse(`{"${name}":{"polluted":true},"_meta":{"${name}":{"polluted":true}}}`)
    const { message } = dress({ jsonrpc: "2.0", id: 1, method: "x/y", params })
    const dressed = "params" in message ? message.params : undefined
    expect(Object.hasOwn(dressed ?? {}, name)).toBe(true)
    expect(Object.hasOwn((dressed?.["_meta"] ?? {}) as object, name)).toBe(true)
    expect({}).not.toHaveProperty("polluted")
  })

  it("V26-HDR-01 V26-HDR-02 mirrors version and method", () => {
    expect(dress(request("tools/list")).headers).toEqual({
      "MCP-Protocol-Version": "2026-07-28",
      "Mcp-Method": "tools/list",
    })
  })

  it.each([
    ["tools/call", { name: "t" }, "t"],
    ["prompts/get", { name: "p" }, "p"],
    ["resources/read", { uri: "file:///a" }, "file:///a"],
    ["tasks/get", { taskId: "t1" }, "t1"],
    ["tools/list", { name: "not mirrored" }, undefined],
    ["completion/complete", { name: "not mirrored" }, undefined],
  ])("V26-HDR-03 V26-HDR-04 the name of %s", (method, params, name) => {
    expect(dress(call(method, params)).headers["Mcp-Name"]).toBe(name)
  })

  it("V26-HDR-05 a name that no header may hold is encoded, and so is a method", () => {
    expect(dress(call("tools/call", { name: "Grüße" })).headers["Mcp-Name"]).toBe(
      "=?base64?R3LDvMOfZQ==?=",
    )
    const method = dress(request("evil\r\nX-Admin: 1")).headers["Mcp-Method"]
    expect(method).toMatch(/^=\?base64\?[A-Za-z0-9+/=]+\?=$/)
  })

  it("V26-HDR-10 a notification gets headers, and no metadata", () => {
    const message = {
      jsonrpc: "2.0",
      method: "notifications/cancelled",
      params: { requestId: 1 },
    } as const
    expect(dress(message)).toEqual({
      message,
      headers: { "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "notifications/cancelled" },
    })
  })

  it("V26-STDIO-12 without HTTP there are no headers", () => {
    const { headers, message } = makeDresser({ ...modern, http: false })(request("tools/list"))
    expect(headers).toEqual({})
    expect(message).toMatchObject({ params: { _meta: own } })
  })
})

describe("a legacy identity", () => {
  const id = parseSessionId("S1")
  if (!id) throw new Error("Not a session id")
  const legacy: LegacyIdentity = {
    era: "legacy",
    revision: "2025-11-25",
    versionHeader: false,
    session: { id },
    http: true,
  }
  const initialize = call("initialize", { protocolVersion: "2025-11-25" })

  it("V25-HTTP-29 V25-HTTP-38 session and version go with requests, notifications and answers", () => {
    const dress = makeDresser(legacy)
    const messages: ReadonlyArray<JsonRpcMessage> = [
      request("tools/list"),
      { jsonrpc: "2.0", method: "notifications/initialized" },
      { jsonrpc: "2.0", id: 7, result: {} },
      { jsonrpc: "2.0", id: 7, error: { code: -32601, message: "no" } },
    ]
    for (const message of messages) {
      const dressed = dress(message)
      expect(dressed.message).toBe(message)
      expect(dressed.headers).toEqual({
        "MCP-Protocol-Version": "2025-11-25",
        "MCP-Session-Id": "S1",
      })
    }
  })

  it("V25-HTTP-30 C025 initialize carries neither, also with a session at hand", () => {
    expect(makeDresser(legacy)(initialize).headers).toEqual({})
  })

  it("C027 initialize carries the version it offers where the server insists", () => {
    const dress = makeDresser({ ...legacy, revision: undefined, versionHeader: true })
    expect(dress(initialize).headers).toEqual({ "MCP-Protocol-Version": "2025-11-25" })
    expect(dress(call("initialize", {})).headers).toEqual({})
  })

  it("V25-HTTP-37 without a session there is only the version, and without that nothing", () => {
    const { session: _, ...none } = legacy
    expect(makeDresser(none)(request("ping")).headers).toEqual({
      "MCP-Protocol-Version": "2025-11-25",
    })
    expect(makeDresser({ ...none, revision: undefined })(request("ping")).headers).toEqual({})
  })

  it("V26-ERA-14 takes modern metadata off, and leaves the rest", () => {
    const message = call("tools/call", {
      name: "t",
      _meta: { ...own, [metaKey.logLevel]: "info", progressToken: 7, "com.example/x": 1 },
    })
    expect(makeDresser(legacy)(message).message).toEqual(
      call("tools/call", { name: "t", _meta: { progressToken: 7, "com.example/x": 1 } }),
    )
  })

  it("V25-META-06 V25-PROG-01 says what a request wishes for: its trace, and its progress token", () => {
    const dress = makeDresser(legacy)
    const message = call("tools/call", { name: "t", _meta: { "com.example/x": 1 } })
    expect(dress(message, { trace, progressToken: 7 }).message).toEqual(
      call("tools/call", { name: "t", _meta: { "com.example/x": 1, ...trace, progressToken: 7 } }),
    )
    expect(dress(request("tools/list"), { trace }).message).toEqual(
      call("tools/list", { _meta: trace }),
    )
    const told = { jsonrpc: "2.0", method: "notifications/initialized" } as const
    expect(dress(told, { trace }).message).toEqual(told)
  })

  it("without HTTP there are no headers", () => {
    const dress = makeDresser({ ...legacy, http: false, versionHeader: true })
    expect(dress(request("tools/list")).headers).toEqual({})
    expect(dress(initialize).headers).toEqual({})
  })
})

// A session id cannot be given to a modern identity: this has to stay a type error.
// @ts-expect-error the modern era knows no sessions (V26-HDR-11)
const impossible: Identity = { ...modern, session: { id: "S1" } }
void impossible
