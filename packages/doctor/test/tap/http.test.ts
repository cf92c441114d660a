import { once } from "node:events"
import { createServer as createSecureServer } from "node:https"
import { request as httpRequest, type IncomingMessage } from "node:http"
import { connect as dial, createServer as createPlainServer, type AddressInfo } from "node:net"
import { gzipSync } from "node:zlib"
import { describe, expect, it } from "vitest"
import { tapHttp } from "@entente/doctor/tap"
import { selfSigned } from "@entente/testkit/node"
import { ask, post, result, serve, tapped } from "./http-world.js"
import { bytesOf, Kept } from "./tapped.js"

const list = { jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }
const tools = result(1, { tools: [{ name: "greet", inputSchema: { type: "object" } }] })

describe("what passes a tap on HTTP", () => {
  it("is the same, but for Host and the headers of the connection", async () => {
    const seen: Array<{ raw: ReadonlyArray<string>; url: string; body: string; method: string }> =
      []
    await using world = await tapped(async (request, response) => {
      const body = (await bytesOf(request)).toString("latin1")
      const { rawHeaders: raw, url = "", method = "" } = request
      seen.push({ raw, url, body, method })
      response.sendDate = false
      response.writeHead(418, "Odd Teapot", [
        "X-CaSe",
        "a",
        "x-case",
        "b",
        "Set-Cookie",
        "c=1",
        "Set-Cookie",
        "d=2",
        "Content-Length",
        "3",
      ])
      response.end(Buffer.from([0, 255, 128]))
    })
    const body = Buffer.from([0, 1, 250, 251, 13, 10])
    const answer = await ask(`${new URL(world.tap.url).origin}/Some%2fpath/../x?q=a%20b&&`, {
      method: "PUT",
      path: "/Some%2fpath/../x?q=a%20b&&",
      headers: {
        "X-Thing": ["1", "2"],
        "Keep-Alive": "5",
        "X-Hop": "no",
        Connection: "close, x-hop",
      },
      body,
    })
    const host = new URL(world.served.origin).host
    const names = seen[0]?.raw.filter((_, index) => index % 2 === 0)
    expect(seen[0]).toMatchObject({
      url: "/Some%2fpath/../x?q=a%20b&&",
      method: "PUT",
      body: body.toString("latin1"),
    })
    expect(names).not.toContain("X-Hop")
    expect(names).not.toContain("Keep-Alive")
    expect(seen[0]?.raw.join("\n")).toContain("X-Thing\n1\nX-Thing\n2")
    expect(seen[0]?.raw.join("\n")).toContain(`Host\n${host}`)
    expect(answer.statusMessage).toBe("Odd Teapot")
    expect([...answer.body]).toEqual([0, 255, 128])
    const raw = answer.rawHeaders.slice(0, 10)
    expect(raw).toEqual([
      "X-CaSe",
      "a",
      "x-case",
      "b",
      "Set-Cookie",
      "c=1",
      "Set-Cookie",
      "d=2",
      "Content-Length",
      "3",
    ])
  })

  it.each(["GET", "POST", "DELETE", "OPTIONS", "HEAD", "PATCH"])(
    "%s gets there",
    async (method) => {
      await using world = await tapped((request, response) => {
        response.writeHead(200, { "x-method": request.method }).end()
      })
      const { headers } = await ask(world.tap.url, { method })
      expect(headers["x-method"]).toBe(method)
    },
  )

  it("a body of unknown length stays one, in both directions", async () => {
    await using world = await tapped((request, response) => {
      response.setHeader("x-te", request.headers["transfer-encoding"] ?? "none")
      request.pipe(response)
    })
    const request = httpRequest(world.tap.url, {
      method: "DELETE",
      headers: { "transfer-encoding": "chunked" },
    })
    request.write("one ")
    request.end("two")
    const [answer] = (await once(request, "response")) as [IncomingMessage] // "response" brings one
    expect((await bytesOf(answer)).toString()).toBe("one two")
    expect(answer.headers["x-te"]).toBe("chunked")
  })

  it("an event is there while its stream stays open, and the head before any event", async () => {
    let go = (): void => {}
    await using world = await tapped((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders()
      go = () => response.write(`data: ${tools}\n\n`)
    })
    const request = httpRequest(world.tap.url, { method: "POST", agent: false })
    request.end(JSON.stringify(list))
    const [answer] = (await once(request, "response")) as [IncomingMessage] // "response" brings one
    go()
    const [event] = (await once(answer, "data")) as [Buffer] // "data" brings bytes
    expect(event.toString()).toBe(`data: ${tools}\n\n`)
    await world.kept.until((seen) => seen.type === "frame" && seen.direction === "in")
    expect(world.kept.of("outcome")).toEqual([])
    request.destroy()
  })

  it("a compressed body passes as it is, and can be read in the trace", async () => {
    const packed = gzipSync(tools)
    await using world = await tapped((_, response) => {
      response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" })
      response.end(packed)
    })
    const answer = await post(world.tap.url, list)
    expect(answer.body.equals(packed)).toBe(true)
    await world.kept.until(({ type }) => type === "outcome")
    expect(world.kept.of("frame")[1]).toMatchObject({
      message: { result: { tools: [{ name: "greet" }] } },
    })
  })

  it("a compressed body that grows without end is not read to its end", async () => {
    const packed = gzipSync(Buffer.alloc(3_000_000, 32))
    await using world = await tapped(
      (_, response) => {
        response.writeHead(200, { "content-type": "application/json", "content-encoding": "gzip" })
        response.end(packed)
      },
      "/mcp",
      { maxMessageBytes: 100_000 },
    )
    expect((await post(world.tap.url, list)).body.equals(packed)).toBe(true)
    await world.kept.until(({ type }) => type === "unreadable")
    expect(world.kept.of("unreadable")).toMatchObject([{ error: { code: "message-too-large" } }])
  })

  it("a compression nobody here knows passes, and the trace says that it cannot read it", async () => {
    await using world = await tapped((_, response) => {
      response.writeHead(200, { "content-type": "application/json", "content-encoding": "zstd" })
      response.end("whatever")
    })
    expect((await post(world.tap.url, list)).body.toString()).toBe("whatever")
    expect(world.kept.of("unreadable")).toMatchObject([{ error: { code: "unexpected-content" } }])
  })

  it("a redirect within the server leads back to the tap, another one stays", async () => {
    await using world = await tapped((request, response) => {
      const away = request.url?.includes("away")
      response
        .writeHead(307, {
          location: away ? "https://example.org/mcp" : `${world.served.origin}/new?a=1`,
        })
        .end()
    })
    const { origin } = new URL(world.tap.url)
    expect((await ask(world.tap.url)).headers.location).toBe(`${origin}/new?a=1`)
    expect((await ask(`${world.tap.url}/away`)).headers.location).toBe("https://example.org/mcp")
  })
})

describe("what no tap can hand on", () => {
  /** What a client hears that says this, of a server that says that. */
  const raw = async (said: string, answer: string): Promise<string> => {
    const server = createPlainServer((socket) => {
      socket.on("error", () => {})
      socket.once("data", () => socket.end(answer, "latin1"))
    })
    server.listen(0, "127.0.0.1")
    await once(server, "listening")
    const { port } = server.address() as AddressInfo // a server that listens on a port has one
    const kept = new Kept()
    await using tap = await tapHttp({ url: `http://127.0.0.1:${port}/mcp`, trace: kept.trace })
    const client = dial(Number(new URL(tap.url).port), "127.0.0.1")
    client.write(said, "latin1")
    const heard = (await bytesOf(client)).toString("latin1")
    server.close()
    return heard
  }
  const fine = "GET /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"

  it.each([
    "HTTP/1.1 200 O\u0001K\r\nContent-Length: 0\r\n\r\n",
    "HTTP/1.1 200 OK\r\nBad Header: x\r\n\r\n",
    "nothing of the kind",
    "",
  ])("an answer like %j is a 502", async (answer) => {
    expect(await raw(fine, answer)).toContain("HTTP/1.1 502 ")
  })

  it("a trailer is dropped with its announcement", async () => {
    const body =
      "Trailer: X-Sum\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nX-Sum: 1\r\n\r\n"
    const heard = await raw(fine, `HTTP/1.1 200 OK\r\n${body}`)
    expect(heard).toContain("\r\n2\r\nok\r\n0\r\n\r\n")
    expect(heard).not.toContain("X-Sum")
  })

  it.each([
    "GET /\u00e9\u0001 HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
    "GET /%ff\u00ff HTTP/1.1\r\nHost: localhost\r\nX: \u00ff\r\nConnection: close\r\n\r\n",
    "BREW /mcp HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n",
  ])("a request like %j is answered, whatever it is", async (said) => {
    expect(await raw(said, "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")).toMatch(
      /^HTTP\/1\.1 \d{3} /,
    )
  })
})

describe("the ends of an exchange through a tap", () => {
  it("a client that lets go reaches the server", async () => {
    let gone: () => void = () => {}
    const left = new Promise<void>((resolve) => void (gone = resolve))
    await using world = await tapped((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders()
      response.on("close", gone)
    })
    const request = httpRequest(world.tap.url, { method: "POST", agent: false })
    request.on("error", () => {})
    request.end(JSON.stringify(list))
    await once(request, "response")
    request.destroy()
    await left
    const { outcome } = (await world.kept.until(({ type }) => type === "outcome")) as {
      readonly outcome: unknown
    } & Awaited<ReturnType<typeof world.kept.until>>
    expect(outcome).toEqual({ _tag: "Aborted" })
  })

  it("a server that breaks off reaches the client", async () => {
    await using world = await tapped((_, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" })
      response.write(": hello\n\n", () => response.destroy())
    })
    await expect(post(world.tap.url, list)).rejects.toThrow("aborted")
    expect(world.kept.of("outcome")).toMatchObject([
      { outcome: { _tag: "Failed", mayHaveArrived: true, error: { _tag: "Unreachable" } } },
    ])
  })

  it("half a body that the client breaks off is no whole one for the server", async () => {
    let over: (how: string) => void = () => {}
    const how = new Promise<string>((resolve) => void (over = resolve))
    await using world = await tapped((request) => {
      request.on("data", () => {})
      request.on("end", () => over("whole"))
      request.on("error", () => over("broken"))
    })
    const request = httpRequest(world.tap.url, { method: "POST", agent: false })
    request.on("error", () => {})
    request.write("half", () => setImmediate(() => request.destroy()))
    expect(await how).toBe("broken")
  })

  it("a server out of reach is a 502 that says so", async () => {
    const served = await serve(() => {})
    await served[Symbol.asyncDispose]()
    const kept = new Kept()
    await using tap = await tapHttp({ url: `${served.origin}/mcp`, trace: kept.trace })
    const answer = await post(tap.url, list)
    expect(answer.statusCode).toBe(502)
    expect(answer.body.toString()).toBe(
      `The tap got no answer. No answer from ${served.origin}: nothing listens there (connection refused).\n`,
    )
    expect(kept.of("error")).toMatchObject([{ code: "unreachable", stage: "request" }])
    expect(kept.of("outcome")).toMatchObject([{ outcome: { _tag: "Failed" } }])
    expect(kept.of("http").map(({ status }) => status)).toEqual([undefined])
  })

  it("an https server is reached, and its certificate checked", async () => {
    const server = createSecureServer(selfSigned(), (_, response) => response.end("over TLS"))
    server.listen(0, "127.0.0.1")
    await once(server, "listening")
    const { port } = server.address() as AddressInfo // a server that listens on a port has one
    const kept = new Kept()
    await using tap = await tapHttp({ url: `https://localhost:${port}/mcp`, trace: kept.trace })
    const refused = await ask(tap.url)
    expect([refused.statusCode, refused.body.toString()]).toEqual([
      502,
      expect.stringContaining("self-signed"),
    ])
    process.env["NODE_TLS_REJECT_UNAUTHORIZED"] = "0"
    try {
      expect((await ask(tap.url)).body.toString()).toBe("over TLS")
    } finally {
      delete process.env["NODE_TLS_REJECT_UNAUTHORIZED"]
    }
    server.closeAllConnections()
    server.close()
  })

  it("a connection that the server closes at rest is closed for the client, and none is shared", async () => {
    const ends: Array<() => void> = []
    const server = createPlainServer((socket) => {
      ends.push(() => socket.end())
      socket.on("data", () => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"))
    })
    server.listen(0, "127.0.0.1")
    await once(server, "listening")
    const { port } = server.address() as AddressInfo // a server that listens on a port has one
    const kept = new Kept()
    await using tap = await tapHttp({ url: `http://127.0.0.1:${port}/mcp`, trace: kept.trace })
    const client = dial(Number(new URL(tap.url).port), "127.0.0.1")
    for (let turn = 0; turn < 2; turn++) {
      client.write("GET /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n")
      await once(client, "data")
    }
    expect(ends).toHaveLength(1)
    client.resume()
    ends[0]?.()
    await once(client, "end")
    client.destroy()
    server.close()
  })
})

describe("who may use a tap on HTTP", () => {
  const statusOf = async (
    headers: Readonly<Record<string, string>>,
  ): Promise<number | undefined> => {
    await using world = await tapped((_, response) => void response.end())
    const { statusCode } = await ask(world.tap.url, { headers })
    if (statusCode === 403) {
      expect(world.kept.of("http")).toEqual([])
      expect(world.kept.of("note")).toMatchObject([{ code: "tap-refused" }])
    }
    return statusCode
  }

  it.each(["localhost:1234", "127.0.0.1", "[::1]:80", "app.localhost"])(
    "V25-SEC-03 Host %s",
    async (host) => {
      expect(await statusOf({ host })).toBe(200)
    },
  )

  it.each([
    "evil.example",
    "127.0.0.1.evil.example",
    "localhost.evil.example:80",
    "10.0.0.1",
    "a b",
  ])("V25-SEC-03 never Host %s", async (host) => {
    expect(await statusOf({ host })).toBe(403)
  })

  it.each(["http://localhost:6274", "https://127.0.0.1"])(
    "V25-SEC-03 Origin %s",
    async (origin) => {
      expect(await statusOf({ origin })).toBe(200)
    },
  )

  it.each(["https://evil.example", "null", "", "http://localhost.evil.example"])(
    "V25-SEC-03 never Origin %j",
    async (origin) => {
      expect(await statusOf({ origin })).toBe(403)
    },
  )

  it("V25-SEC-03 only who connects to 127.0.0.1", async () => {
    await using world = await tapped((_, response) => void response.end())
    const { port, hostname } = new URL(world.tap.url)
    expect(hostname).toBe("127.0.0.1")
    // Another address of the same machine, which a server on all addresses would answer at.
    const [error] = (await once(dial(Number(port), "127.0.0.2"), "error")) as [Error] // "error" brings one
    expect(error).toBeInstanceOf(Error)
  })

  it("is no proxy for other addresses", async () => {
    await using world = await tapped((_, response) => void response.end())
    expect((await ask(world.tap.url, { path: "http://example.org/" })).statusCode).toBe(403)
    await expect(tapHttp({ url: "ftp://x", trace: world.kept.trace })).rejects.toThrow(
      "no http or https URL",
    )
    await expect(tapHttp({ url: "http://u:p@x/", trace: world.kept.trace })).rejects.toThrow(
      "password",
    )
  })
})
