import { afterEach, describe, expect, it, vi } from "vitest"
import { InvalidInput } from "@entente/protocol"
import { http } from "@entente/transport"
import { openChannel, request } from "./open-channel.js"
import {
  answerTo,
  event,
  eventStream,
  json,
  serve,
  serveSecurely,
  type Handler,
} from "./http-server.js"
import { nodeEngine } from "./node-engine.js"
import { serveProxy, type Refuse } from "./proxy-server.js"
import { selfSigned } from "@entente/testkit/node"

const answering: Handler = (arrived, response) => json(response, answerTo(arrived))
const certificate = selfSigned("mcp.example")

const withCredentials = (proxy: URL): URL => new URL(proxy.href.replace("//", "//me:hush-hush@"))
const basic = `Basic ${Buffer.from("me:hush-hush").toString("base64")}`

/** Everything that was told of a request, as text: nothing of it may hold a secret. */
const told = (outcome: unknown, events: ReadonlyArray<unknown>): string =>
  JSON.stringify([outcome, events, (outcome as { error?: Error }).error?.message])

afterEach(() => vi.unstubAllEnvs())

describe("an http server behind a proxy", { timeout: 30_000 }, () => {
  it("is asked for with its whole address, over connections that are used again", async () => {
    await using server = await serve(answering)
    await using proxy = await serveProxy(new URL(server.origin).host)
    await using opened = await openChannel(
      http("http://mcp.example:8080/mcp?a=1", { proxy: withCredentials(proxy.url) }),
    )
    for (const id of [1, 2, 3]) {
      expect(await opened.send(request(id))).toMatchObject({ _tag: "Ended", messages: 1 })
    }
    expect(proxy.asked).toHaveLength(3)
    expect(proxy.asked[0]).toMatchObject({
      line: "POST http://mcp.example:8080/mcp?a=1",
      headers: { host: "mcp.example:8080", "proxy-authorization": basic },
    })
    expect(server.arrived[0]).toMatchObject({ path: "/mcp?a=1", body: JSON.stringify(request(1)) })
    expect(server.arrived[0]?.headers).not.toHaveProperty("proxy-authorization")
    expect(told({}, opened.events)).not.toContain("hush")
  })

  it("takes the proxy from the environment, but never for this machine", async () => {
    await using server = await serve(answering)
    await using proxy = await serveProxy(new URL(server.origin).host)
    vi.stubEnv("HTTP_PROXY", withCredentials(proxy.url).href)
    vi.stubEnv("NO_PROXY", "other.example")
    vi.stubEnv("http_proxy", undefined)
    vi.stubEnv("no_proxy", undefined)
    vi.stubEnv("REQUEST_METHOD", undefined)
    await using distant = await openChannel(http("http://mcp.example/mcp"))
    expect(await distant.send(request(1))).toMatchObject({ _tag: "Ended", messages: 1 })
    await using near = await openChannel(http(server.url))
    expect(await near.send(request(2))).toMatchObject({ _tag: "Ended", messages: 1 })
    expect(proxy.asked.map(({ line }) => line)).toEqual(["POST http://mcp.example/mcp"])
  })

  it.each<[what: string, refuse: ReturnType<Refuse>, error: object, mayHaveArrived: boolean]>([
    ["407", [407], { _tag: "HttpRejected", status: 407 }, false],
    [
      "403 of its own",
      [403, { "x-squid-error": "ERR_ACCESS_DENIED 0" }],
      { _tag: "HttpRejected", status: 403 },
      true,
    ],
    [
      "502 of its own",
      [502, { "proxy-status": "p.corp; error=destination_unavailable" }],
      { _tag: "Unreachable", status: 502 },
      true,
    ],
  ])("tells a %s as the proxy's", async (_, refuse, error, mayHaveArrived) => {
    await using proxy = await serveProxy("127.0.0.1:1", () => refuse)
    await using opened = await openChannel(
      http("http://mcp.example/mcp", { proxy: withCredentials(proxy.url) }),
    )
    const outcome = await opened.send(request(1))
    const named = expect.stringContaining(`proxy ${proxy.url.origin}`)
    expect(outcome).toMatchObject({
      _tag: "Failed",
      mayHaveArrived,
      error: { ...error, code: "proxy-failed", message: named },
    })
    expect(told(outcome, opened.events)).not.toContain("hush")
  })

  it("leaves the server's own refusals to the server", async () => {
    await using server = await serve((_, response) => response.writeHead(403).end("mine"))
    await using proxy = await serveProxy(new URL(server.origin).host)
    await using opened = await openChannel(http("http://mcp.example/mcp", { proxy: proxy.url }))
    expect(await opened.send(request(1))).toMatchObject({
      _tag: "Rejected",
      rejection: { status: 403, text: "mine" },
    })
  })
})

describe("an https server behind a proxy", { timeout: 30_000 }, () => {
  it("is reached through a tunnel, in which the proxy's credentials are not", async () => {
    await using server = await serveSecurely(certificate, (arrived, response) =>
      eventStream(response).end(event(answerTo(arrived))),
    )
    await using proxy = await serveProxy(`127.0.0.1:${new URL(server.origin).port}`)
    await using engine = nodeEngine({
      proxy: withCredentials(proxy.url),
      certificateAuthority: certificate.cert,
    })
    await using opened = await openChannel(
      http("https://mcp.example/mcp", { engine, headers: { authorization: "Bearer abcdefgh" } }),
    )
    for (const id of [1, 2]) {
      expect(await opened.send(request(id))).toMatchObject({ _tag: "Ended", messages: 1 })
    }
    expect(proxy.asked).toEqual([
      {
        line: "CONNECT mcp.example:443",
        headers: {
          host: "mcp.example:443",
          "proxy-authorization": basic,
          connection: expect.any(String),
        },
      },
    ])
    expect(server.arrived).toHaveLength(2)
    expect(server.arrived[0]?.headers).toMatchObject({
      host: "mcp.example",
      authorization: "Bearer abcdefgh",
    })
    expect(server.arrived[0]?.headers).not.toHaveProperty("proxy-authorization")
  })

  it("is checked for its certificate all the same, and its faults are its own", async () => {
    await using server = await serveSecurely(certificate, answering)
    await using proxy = await serveProxy(`127.0.0.1:${new URL(server.origin).port}`)
    await using opened = await openChannel(http("https://mcp.example/", { proxy: proxy.url }))
    expect(await opened.send(request(1))).toMatchObject({
      _tag: "Failed",
      mayHaveArrived: false,
      error: { code: "unreachable", message: expect.stringContaining("self-signed") },
    })
    await using engine = nodeEngine({
      proxy: proxy.url,
      certificateAuthority: certificate.cert,
    })
    await using other = await openChannel(http("https://other.example/", { engine }))
    expect(await other.send(request(1))).toMatchObject({
      error: { code: "unreachable", message: expect.stringContaining("for another host") },
    })
    expect(server.arrived).toEqual([])
  })

  it.each([
    [407, "HttpRejected"],
    [403, "HttpRejected"],
    [502, "Unreachable"],
  ])("tells a %i to CONNECT as the proxy's", async (status, _tag) => {
    await using proxy = await serveProxy("127.0.0.1:1", () => [status])
    await using opened = await openChannel(
      http("https://mcp.example/mcp", { proxy: withCredentials(proxy.url) }),
    )
    const outcome = await opened.send(request(1))
    expect(outcome).toMatchObject({
      _tag: "Failed",
      mayHaveArrived: false,
      error: {
        _tag,
        code: "proxy-failed",
        status,
        message: expect.stringContaining(`proxy ${proxy.url.origin}`),
      },
    })
    expect(told(outcome, opened.events)).not.toContain("hush")
  })
})

describe("a proxy that is spoken to by https", { timeout: 30_000 }, () => {
  it("leads to http and https servers, each with its own certificate", async () => {
    const both = selfSigned("localhost")
    await using server = await serveSecurely(both, answering)
    await using proxy = await serveProxy(
      `127.0.0.1:${new URL(server.origin).port}`,
      undefined,
      both,
    )
    await using engine = nodeEngine({ proxy: proxy.url, certificateAuthority: both.cert })
    for (const url of ["http://mcp.example/mcp", "https://localhost/mcp"]) {
      await using opened = await openChannel(http(url, { engine }))
      expect(await opened.send(request(1))).toMatchObject({ _tag: "Ended", messages: 1 })
    }
    expect(proxy.asked.map(({ line }) => line)).toEqual([
      "POST http://mcp.example/mcp",
      "CONNECT localhost:443",
    ])
    expect([server.arrivedPlain.length, server.arrived.length]).toEqual([1, 1])
  })

  it("is checked, too", async () => {
    await using proxy = await serveProxy("127.0.0.1:1", undefined, selfSigned("localhost"))
    for (const url of ["http://mcp.example/mcp", "https://mcp.example/mcp"]) {
      await using opened = await openChannel(http(url, { proxy: proxy.url }))
      expect(await opened.send(request(1))).toMatchObject({
        _tag: "Failed",
        mayHaveArrived: false,
        error: { code: "proxy-failed", message: expect.stringContaining("self-signed") },
      })
    }
    expect(proxy.asked).toEqual([])
  })
})

describe("a proxy that is not there", { timeout: 30_000 }, () => {
  it.each(["http://mcp.example/", "https://mcp.example/"])(
    "is named, and not the server, for %s",
    async (server) => {
      const proxy = await serveProxy("127.0.0.1:1")
      await proxy[Symbol.asyncDispose]()
      await using opened = await openChannel(http(server, { proxy: withCredentials(proxy.url) }))
      const outcome = await opened.send(request(1))
      expect(outcome).toMatchObject({
        _tag: "Failed",
        mayHaveArrived: false,
        error: {
          _tag: "Unreachable",
          code: "proxy-failed",
          message: expect.stringContaining(`proxy ${proxy.url.origin}`),
          cause: { code: "ECONNREFUSED" },
        },
      })
      expect(told(outcome, opened.events)).not.toContain("hush")
    },
  )

  it("is named where nobody can speak to its kind", async () => {
    vi.stubEnv("ALL_PROXY", "socks5://me:hush-hush@127.0.0.1:1080")
    for (const name of ["all_proxy", "https_proxy", "HTTPS_PROXY", "no_proxy", "NO_PROXY"]) {
      vi.stubEnv(name, undefined)
    }
    await using opened = await openChannel(http("https://mcp.example/"))
    const outcome = await opened.send(request(1))
    expect(outcome).toMatchObject({
      _tag: "Failed",
      mayHaveArrived: false,
      error: { code: "proxy-failed", message: expect.stringContaining("socks5://127.0.0.1:1080") },
    })
    expect(told(outcome, opened.events)).not.toContain("hush")
  })

  it("is refused as an option where it could have no effect, or cannot be spoken to", () => {
    const proxy = new URL("http://me:hush-hush@p:1")
    const fetch = globalThis.fetch
    expect(() => http("http://h.example/", { proxy, fetch })).toThrow(InvalidInput)
    expect(() => http("http://h.example/", { proxy: new URL("socks5://a:hush@p:1") })).toThrow(
      /not socks5:\/\/p:1\./,
    )
  })
})
