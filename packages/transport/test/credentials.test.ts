import { describe, expect, it } from "vitest"
import {
  http,
  httpSse,
  memory,
  record,
  faulty,
  webSocket,
  type HttpOptions,
  type Transport,
} from "@entente/transport"
import { stdio } from "@entente/transport/stdio"
import { tcpSocket, unixSocket } from "@entente/transport/socket"

const url = "https://example.com/mcp"
const of = (transport: Transport): string | undefined => transport.credentials?.()
const overHttp = (options: HttpOptions, address: string = url) => of(http(address, options))
const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

describe("what tells one authorization from another", () => {
  it("V26-CACHE-08 over HTTP is everything that is sent each time, whatever its name", () => {
    const all = [
      overHttp({}),
      overHttp(bearer("a")),
      overHttp(bearer("b")),
      overHttp({ headers: { cookie: "Bearer a" } }),
      overHttp({ headers: { authorization: "Bearer a", "x-tenant": "1" } }),
      overHttp({}, "https://u:a@example.com/mcp"),
      overHttp({}, "https://u:b@example.com/mcp"),
      overHttp({}, `${url}?key=a`),
      overHttp({}, `${url}?key=b`),
    ]
    expect(new Set(all).size).toBe(all.length)
    for (const each of all) expect(each).toMatch(/^[0-9a-f]{64}$/)
  })

  it("is the same for the same, however it is written", () => {
    expect(overHttp({ headers: { Authorization: "x", b: "y" } })).toBe(
      overHttp({ headers: { B: "y", authorization: "x" } }),
    )
    expect(of(httpSse(url, bearer("a")))).toBe(overHttp(bearer("a")))
    expect(overHttp({}, "https://u:a@example.com/mcp")).toBe(
      overHttp({ headers: { authorization: `Basic ${btoa("u:a")}` } }),
    )
  })

  it("is unknown where a function may send anybody's", () => {
    const headers = () => ({ authorization: "Bearer a" })
    const refused = () => "give-up" as const
    expect(overHttp({ requestHeaders: headers })).toBeUndefined()
    expect(overHttp({ authorization: { headers, refused } })).toBeUndefined()
    expect(overHttp({ fetch: (address, init) => fetch(address, init) })).toBeUndefined()
    expect(overHttp({ engine: { start: () => () => true, close: async () => {} } })).toBeUndefined()
    const ws = "wss://example.com/mcp"
    expect(of(webSocket(ws, { requestHeaders: headers }))).toBeUndefined()
    expect(of(webSocket(ws, { subprotocols: () => ["mcp"] }))).toBeUndefined()
  })

  it("is what a decorator says of its token now, with what is sent besides", () => {
    let token: string | undefined = "a"
    const authorization = {
      headers: () => ({}),
      refused: () => "give-up" as const,
      credentials: () => token,
    }
    const transport = http(url, { authorization })
    const besides = http(url, { authorization, headers: { "x-tenant": "1" } })
    const before = of(transport)
    expect(of(besides)).not.toBe(before)
    token = "b"
    expect(of(transport)).not.toBe(before)
    token = "a"
    expect(of(transport)).toBe(before)
    token = undefined
    expect(of(transport)).toBeUndefined()
  })

  it("on a WebSocket is in its headers, its address or its subprotocols", () => {
    const ws = "wss://example.com/mcp"
    const all = [
      of(webSocket(ws)),
      of(webSocket(ws, bearer("a"))),
      of(webSocket(`${ws}?key=a`)),
      of(webSocket(ws, { subprotocols: ["mcp", "bearer.a"] })),
      of(webSocket(ws, { subprotocols: ["mcp", "bearer.b"] })),
    ]
    expect(new Set(all).size).toBe(all.length)
  })

  it("of a program is in its arguments and its environment", () => {
    const command = "server"
    const all = [
      of(stdio({ command })),
      of(stdio({ command, args: ["--token=a"] })),
      of(stdio({ command, args: ["--token=b"] })),
      of(stdio({ command, env: { TOKEN: "a" } })),
      of(stdio({ command, env: { TOKEN: "b" } })),
    ]
    expect(new Set(all).size).toBe(all.length)
    expect(of(stdio({ command, env: { A: "1", B: "2" } }))).toBe(
      of(stdio({ command, env: { B: "2", A: "1" } })),
    )
  })

  it("V26-SEC-14 stays with a transport that is wrapped, and is in nothing that is printed", () => {
    const secret = "s3cr3t-t0ken-0123456789"
    const plain = http(url, bearer(secret))
    for (const wrapped of [plain, record(plain, () => {}), faulty(plain, { seed: 1, rules: [] })]) {
      expect(of(wrapped)).toBe(of(plain))
      expect(wrapped.reach).toBe("anywhere")
      expect(JSON.stringify(wrapped)).not.toContain(of(plain))
    }
    expect(of(plain)).not.toContain(secret)
  })
})

describe("how far the name of a server reaches", () => {
  it.each([
    { transport: http(url), reach: "anywhere" },
    { transport: http("http://192.168.1.2:80/mcp"), reach: "anywhere" },
    { transport: http("http://localhost:3000/mcp"), reach: "machine" },
    { transport: http("http://127.0.0.1/mcp"), reach: "machine" },
    { transport: httpSse("http://[::1]/sse"), reach: "machine" },
    { transport: webSocket("wss://example.com"), reach: "anywhere" },
    { transport: webSocket("ws://127.0.0.1:1"), reach: "machine" },
    { transport: stdio({ command: "server" }), reach: "machine" },
    { transport: unixSocket("/run/mcp.sock"), reach: "machine" },
    { transport: tcpSocket({ port: 7400 }), reach: "machine" },
    { transport: tcpSocket({ host: "example.com", port: 7400 }), reach: "anywhere" },
    { transport: memory(() => ({ message: () => {} })), reach: undefined },
  ])("$transport.target: $reach", ({ transport, reach }) => {
    expect(transport.reach).toBe(reach)
  })
})
