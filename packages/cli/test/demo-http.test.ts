import { request as rawRequest } from "node:http"
import { afterEach, describe, expect, it } from "vitest"
import { serveHttp, type DemoHttpServer } from "../src/demo/http.js"
import type { DemoEra } from "../src/demo/identity.js"
import { initializeParams, modernMeta } from "./stdio-line-peer.js"

type Headers = Readonly<Record<string, string>>
type Message = { readonly [member: string]: unknown }

const open: Array<DemoHttpServer> = []
const serve = async (era: DemoEra = "dual"): Promise<string> => {
  const server = await serveHttp(era, "0.0.0", 0)
  open.push(server)
  return server.url
}
afterEach(() => Promise.all(open.splice(0).map((server) => server.close())))

const media = {
  accept: "application/json, text/event-stream",
  "content-type": "application/json",
}

const post = (url: string, message: unknown, headers: Headers = {}, init: RequestInit = {}) =>
  fetch(url, {
    method: "POST",
    headers: { ...media, ...headers },
    body: typeof message === "string" ? message : JSON.stringify(message),
    ...init,
  })

const json = async (response: Response) => (await response.json()) as Message // the server writes objects only

const ask = (id: number, method: string, params: Message = {}) => ({
  jsonrpc: "2.0",
  id,
  method,
  params,
})

/** Opens a legacy session and returns the headers of everything that follows. */
const session = async (url: string, version = "2025-11-25"): Promise<Headers> => {
  const response = await post(url, ask(1, "initialize", initializeParams(version)))
  const id = response.headers.get("mcp-session-id") ?? ""
  return { "mcp-session-id": id, "mcp-protocol-version": version }
}

/** A modern request with the headers that go with it. */
const modern = (id: number, method: string, params: Message = {}, headers: Headers = {}) =>
  [
    ask(id, method, { ...params, _meta: modernMeta() }),
    { "mcp-protocol-version": "2026-07-28", "mcp-method": method, ...headers },
  ] as const

/** The messages of an event stream, as they arrive. */
async function* events(response: Response): AsyncGenerator<Message> {
  let rest = ""
  const decoder = new TextDecoder()
  for await (const chunk of response.body ?? []) {
    rest += decoder.decode(chunk as Uint8Array, { stream: true })
    const blocks = rest.split("\n\n")
    rest = blocks.pop() ?? ""
    for (const block of blocks) {
      const [, data] = /^data: (.*)$/m.exec(block) ?? []
      yield JSON.parse(data ?? "null") as Message
    }
  }
}

describe("the demo server over HTTP, legacy", () => {
  it("V25-HTTP-27 gives each session an id and serves it", async () => {
    const url = await serve()
    const response = await post(url, ask(1, "initialize", initializeParams("2025-06-18")))
    expect(response.status).toBe(200)
    expect(response.headers.get("mcp-session-id")).toMatch(/^[\x21-\x7e]+$/)
    expect(await json(response)).toMatchObject({ result: { protocolVersion: "2025-06-18" } })
    const headers = await session(url)
    const initialized = { jsonrpc: "2.0", method: "notifications/initialized" }
    expect((await post(url, initialized, headers)).status).toBe(202)
    expect(await json(await post(url, ask(2, "tools/list"), headers))).toMatchObject({
      id: 2,
      result: { tools: { length: 5 } },
    })
  })

  it("V25-HTTP-31, V25-HTTP-35 answers 400 without an id and 404 to one it does not know", async () => {
    const url = await serve("legacy")
    expect((await post(url, ask(1, "tools/list"))).status).toBe(400)
    const unknown = { "mcp-session-id": "unknown" }
    expect((await post(url, ask(1, "tools/list"), unknown)).status).toBe(404)
    const answer = await post(url, ask(2, "server/discover", { _meta: modernMeta() }))
    expect([answer.status, await json(answer)]).toMatchObject([400, { error: { code: -32600 } }])
  })

  it("V25-HTTP-34 ends a session with DELETE", async () => {
    const url = await serve()
    const headers = await session(url)
    expect((await fetch(url, { method: "DELETE", headers })).status).toBe(204)
    expect((await post(url, ask(2, "tools/list"), headers)).status).toBe(404)
    expect((await fetch(url, { method: "DELETE", headers })).status).toBe(404)
  })

  it("V25-HTTP-39 refuses a version that no session speaks", async () => {
    const url = await serve("legacy")
    const headers = { ...(await session(url)), "mcp-protocol-version": "2099-01-01" }
    expect((await post(url, ask(2, "tools/list"), headers)).status).toBe(400)
  })

  it("V25-HTTP-15 tells each session of a new tool, on its stream", async () => {
    const url = await serve()
    const headers = await session(url)
    const other = await session(url)
    const listen = (one: Headers) =>
      fetch(url, { headers: { accept: "text/event-stream", ...one } })
    const streams = [events(await listen(headers)), events(await listen(other))]
    await post(url, ask(2, "tools/call", { name: "grow" }), headers)
    for (const stream of streams) {
      const { value } = await stream.next()
      expect(value).toMatchObject({ method: "notifications/tools/list_changed" })
    }
    await fetch(url, { method: "DELETE", headers })
    expect(await streams[0]?.next()).toMatchObject({ done: true })
  })

  it("streams progress before the result", async () => {
    const url = await serve()
    const headers = await session(url)
    const params = {
      name: "slow",
      arguments: { seconds: 0.01 },
      _meta: { progressToken: 7 },
    }
    const response = await post(url, ask(2, "tools/call", params), headers)
    expect(response.headers.get("content-type")).toBe("text/event-stream")
    const seen: Array<Message> = []
    for await (const message of events(response)) seen.push(message)
    expect(seen).toHaveLength(6)
    expect(seen[0]).toMatchObject({ params: { progressToken: 7, progress: 1 } })
    expect(seen[5]).toMatchObject({ id: 2, result: {} })
  })
})

describe("the demo server over HTTP, modern", () => {
  it("serves a request that brings everything along, without a session", async () => {
    const response = await post(await serve(), ...modern(1, "server/discover"))
    expect(response.headers.has("mcp-session-id")).toBe(false)
    expect(await json(response)).toMatchObject({ result: { resultType: "complete" } })
  })

  it.each([
    ["no version", { "mcp-protocol-version": "" }],
    ["another version", { "mcp-protocol-version": "2025-11-25" }],
    ["another method", { "mcp-method": "tools/list" }],
    ["a method in another case", { "mcp-method": "Tools/call" }],
    ["no name", {}],
    ["another name", { "mcp-name": "add" }],
  ])("V26-HDR-09 refuses headers with %s", async (_, headers) => {
    const [message, own] = modern(1, "tools/call", { name: "echo", arguments: { text: "x" } })
    const response = await post(await serve("modern"), message, { ...own, ...headers })
    expect(response.status).toBe(400)
    expect(await json(response)).toMatchObject({ id: 1, error: { code: -32020 } })
  })

  it("V26-HDR-05 reads names that came as Base64", async () => {
    const url = await serve()
    const name = `=?base64?${Buffer.from("echo").toString("base64")}?=`
    const params = { name: "echo", arguments: { text: "x" } }
    const answer = await post(url, ...modern(1, "tools/call", params, { "mcp-name": name }))
    expect(await json(answer)).toMatchObject({ result: { content: [{ text: "x" }] } })
  })

  it.each([
    ["V26-META-04 no metadata", ask(1, "tools/list"), { "mcp-method": "tools/list" }, 400, -32602],
    [
      "V26-VER-02 another version",
      ask(1, "tools/list", { _meta: modernMeta("2099-01-01") }),
      { "mcp-method": "tools/list", "mcp-protocol-version": "2099-01-01" },
      400,
      -32022,
    ],
    ["V26-DISC-05 an unknown method", ...modern(1, "ping"), 404, -32601],
    [
      "V26-ERA-15 initialize",
      ask(1, "initialize", initializeParams("2025-11-25")),
      {},
      400,
      -32022,
    ],
  ] as const)("answers %s with its status and code", async (_, message, headers, status, code) => {
    const response = await post(await serve("modern"), message, headers)
    expect(response.status).toBe(status)
    expect(await json(response)).toMatchObject({ id: 1, error: { code } })
  })

  it("V26-HTTP-07 has neither GET nor DELETE", async () => {
    const url = await serve("modern")
    for (const method of ["GET", "DELETE"]) {
      const response = await fetch(url, { method })
      expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"])
    }
  })

  it("goes on serving when a client has left in the middle of a call", async () => {
    const url = await serve()
    const leave = new AbortController()
    const params = { name: "slow", arguments: { seconds: 60 } }
    const [message, headers] = modern(1, "tools/call", params, { "mcp-name": "slow" })
    const request = {
      ...message,
      params: { ...message.params, _meta: { ...modernMeta(), progressToken: 1 } },
    }
    const pending = post(url, request, headers, { signal: leave.signal })
    leave.abort()
    await expect(pending).rejects.toThrowError(/abort/i)
    expect(await json(await post(url, ...modern(2, "server/discover")))).toMatchObject({ id: 2 })
  })
})

describe("the demo server over HTTP", () => {
  it.each([
    ["406 without both media types", {}, { accept: "application/json" }, 406],
    ["415 for another body", {}, { "content-type": "text/plain" }, 415],
    ["400 for what is not JSON", "{", {}, 400],
    ["400 for what is no message", {}, {}, 400],
    ["400 for a batch", [], {}, 400],
    ["403 for a foreign origin", {}, { origin: "https://example.com" }, 403],
    ["403 for an opaque origin", {}, { origin: "null" }, 403],
    ["413 for a body beyond all measure", JSON.stringify("x".repeat(5_000_000)), {}, 413],
  ] as const)("answers %s", async (_, message, headers, status) => {
    expect((await post(await serve(), message, headers)).status).toBe(status)
  })

  it("lets a page of this machine in", async () => {
    const response = await post(
      await serve(),
      ...modern(1, "server/discover", {}, { origin: "http://localhost:5173" }),
    )
    expect(response.status).toBe(200)
  })

  it("V25-HTTP-41 refuses a name that only points here", async () => {
    const url = new URL(await serve())
    const status = await new Promise((resolve, reject) => {
      const outgoing = rawRequest(url, { method: "POST", headers: { host: "evil.example" } })
      outgoing.on("response", (response) => resolve(response.resume().statusCode))
      outgoing.on("error", reject)
      outgoing.end("{}")
    })
    expect(status).toBe(403)
  })

  it("serves one path only", async () => {
    const url = new URL("/other", await serve())
    expect((await post(url.href, {})).status).toBe(404)
  })

  it("says when its port is taken", async () => {
    const { port } = new URL(await serve())
    await expect(serveHttp("dual", "0.0.0", Number(port))).rejects.toMatchObject({
      code: "EADDRINUSE",
    })
  })
})
