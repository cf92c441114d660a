import { describe, expect, it } from "vitest"
import { http } from "@entente/transport"
import { judgeRedirect, suggestedAddress, type Redirect } from "../src/http/redirect.js"
import { openChannel, request } from "./open-channel.js"
import { answerTo, json, serve, serveSecurely, type Handler } from "./http-server.js"
import { nodeEngine } from "./node-engine.js"
import { selfSigned } from "@entente/testkit/node"

const redirectTo =
  (status: number, location: string | undefined, rest: Handler): Handler =>
  (arrived, response) => {
    if (arrived.path !== "/mcp") return rest(arrived, response)
    response.writeHead(status, location === undefined ? {} : { location }).end()
  }

const answering: Handler = (arrived, response) => json(response, answerTo(arrived))

describe("redirects of a message", { timeout: 30_000 }, () => {
  it.each([307, 308])(
    "C094 follows a %i on the same origin, unchanged, and stays there",
    async (status) => {
      await using server = await serve(redirectTo(status, "/mcp/?a=1", answering))
      await using opened = await openChannel(
        http(server.url, { headers: { authorization: "Bearer t" } }),
      )
      expect(await opened.send(request(1))).toMatchObject({ _tag: "Ended", messages: 1 })
      expect(await opened.send(request(2))).toMatchObject({ _tag: "Ended", messages: 1 })
      expect(server.arrived).toMatchObject([
        { path: "/mcp", method: "POST" },
        {
          path: "/mcp/?a=1",
          method: "POST",
          body: JSON.stringify(request(1)),
          headers: { authorization: "Bearer t", "content-type": "application/json" },
        },
        { path: "/mcp/?a=1", body: JSON.stringify(request(2)) },
      ])
    },
  )

  it.each([301, 302, 303])(
    "C095 does not follow a %i, and names the address to use",
    async (status) => {
      await using server = await serve(redirectTo(status, "/elsewhere", answering))
      await using opened = await openChannel(http(server.url))
      expect(await opened.send(request(1))).toMatchObject({
        _tag: "Failed",
        error: {
          _tag: "HttpRejected",
          code: "redirect-refused",
          status,
          message: expect.stringContaining(`${server.origin}/elsewhere`),
          hint: expect.stringContaining(`${server.origin}/elsewhere`),
        },
      })
      expect(server.arrived).toHaveLength(1)
    },
  )

  it("C094 V25-HTTP-36 V26-HTTP-19 sends nothing to another origin, credentials least of all", async () => {
    await using other = await serve(answering)
    await using server = await serve(redirectTo(307, `${other.origin}/mcp?token=abc`, answering))
    await using opened = await openChannel(
      http(server.url, { headers: { authorization: "Bearer abcdefghijklmnop" } }),
    )
    const outcome = await opened.send(request(1))
    expect(outcome).toMatchObject({ _tag: "Failed", error: { code: "redirect-refused" } })
    expect(other.arrived).toEqual([])
    expect(JSON.stringify(outcome)).not.toContain("token=abc")
  })

  it("C094 C095 it is the client that decides, also where fetch does the work", async () => {
    await using other = await serve(answering)
    await using server = await serve(({ path, ...arrived }, response) => {
      const to: Readonly<Record<string, readonly [number, string]>> = {
        "/same": [307, "/there?a=1"],
        "/other": [308, other.url],
        "/rewritten": [301, "/there"],
      }
      const redirect = to[path]
      if (redirect === undefined) return answering({ path, ...arrived }, response)
      response.writeHead(redirect[0], { location: redirect[1] }).end()
    })
    const through = (path: string) =>
      openChannel(
        http(`${server.origin}${path}`, {
          fetch: (url, init) => globalThis.fetch(url, init),
          headers: { authorization: "Bearer t" },
        }),
      )
    await using same = await through("/same")
    for (const id of [1, 2]) expect(await same.send(request(id))).toMatchObject({ messages: 1 })
    const refused = { _tag: "Failed", error: { code: "redirect-refused" } }
    await using elsewhere = await through("/other")
    expect(await elsewhere.send(request(1))).toMatchObject(refused)
    await using rewritten = await through("/rewritten")
    expect(await rewritten.send(request(1))).toMatchObject(refused)
    expect(server.arrived.map(({ method, path }) => `${method} ${path}`)).toEqual([
      "POST /same",
      "POST /there?a=1",
      "POST /there?a=1",
      "POST /other",
      "POST /rewritten",
    ])
    expect(other.arrived).toEqual([])
  })

  it("gives up after five redirects", async () => {
    let hops = 0
    await using server = await serve((_, response) =>
      response.writeHead(307, { location: `/mcp?${++hops}` }).end(),
    )
    await using opened = await openChannel(http(server.url))
    expect(await opened.send(request(1))).toMatchObject({
      _tag: "Failed",
      error: { code: "redirect-refused", message: expect.stringContaining("6th") },
    })
    expect(server.arrived).toHaveLength(6)
  })

  it("takes a redirect without a Location for the refusal that it is", async () => {
    await using server = await serve(redirectTo(307, undefined, answering))
    await using opened = await openChannel(http(server.url))
    expect(await opened.send(request(1))).toMatchObject({
      _tag: "Rejected",
      rejection: { status: 307 },
    })
  })
})

describe("redirects between http and https", { timeout: 30_000 }, () => {
  const certificate = selfSigned()
  const secret = { authorization: "Bearer abcdefghijklmnop" }
  const trusting = () => nodeEngine({ certificateAuthority: certificate.cert })

  it.each([307, 308, 301])(
    "C094 a %i from https to http is refused, with the https address to use",
    async (status) => {
      await using server = await serveSecurely(
        certificate,
        (_, response) => {
          const location = `${server.origin.replace("https:", "http:")}/mcp/`
          response.writeHead(status, { location }).end()
        },
        answering,
      )
      await using engine = trusting()
      await using opened = await openChannel(http(server.url, { engine, headers: secret }))
      const insecure = `${server.origin.replace("https:", "http:")}/mcp/`
      expect(await opened.send(request(1))).toMatchObject({
        _tag: "Failed",
        error: {
          code: "redirect-refused",
          message: expect.stringContaining(insecure),
          hint: expect.stringContaining(`${server.url}/`),
        },
      })
      expect(server.arrived).toHaveLength(1)
      expect(server.arrivedPlain).toEqual([])
    },
  )

  it.each([307, 308])(
    "C094 a %i on the same https origin is followed with everything, once",
    async (status) => {
      await using server = await serveSecurely(certificate, (arrived, response) => {
        if (arrived.path === "/mcp/") return answering(arrived, response)
        response.writeHead(status, { location: `${server.url}/` }).end()
      })
      await using engine = trusting()
      await using opened = await openChannel(http(server.url, { engine, headers: secret }))
      const headers = { "Mcp-Session-Id": "S" }
      expect(await opened.send(request(1), { headers })).toMatchObject({ messages: 1 })
      expect(await opened.send(request(2), { headers })).toMatchObject({ messages: 1 })
      expect(server.arrived.map(({ path, body }) => [path, body])).toEqual([
        ["/mcp", JSON.stringify(request(1))],
        ["/mcp/", JSON.stringify(request(1))],
        ["/mcp/", JSON.stringify(request(2))],
      ])
      for (const { method, headers: sent } of server.arrived) {
        expect({ method, ...sent }).toMatchObject({
          method: "POST",
          "mcp-session-id": "S",
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          ...secret,
        })
      }
    },
  )

  it("C094 another https origin is sent nothing, not even without credentials", async () => {
    await using other = await serveSecurely(certificate, answering)
    await using server = await serveSecurely(certificate, (_, response) =>
      response.writeHead(307, { location: other.url }).end(),
    )
    await using engine = trusting()
    await using opened = await openChannel(http(server.url, { engine, headers: secret }))
    expect(await opened.send(request(1))).toMatchObject({
      _tag: "Failed",
      error: { code: "redirect-refused", hint: expect.stringContaining(other.url) },
    })
    expect([...other.arrived, ...other.arrivedPlain]).toEqual([])
  })

  const upgrading = (status: number) =>
    serveSecurely(certificate, answering, (arrived, response) => {
      // What a gateway knows of its own address.
      const location = `https://${arrived.headers.host}${arrived.path}`
      response.writeHead(status, { location }).end()
    })

  it.each([301, 302, 303])("C095 a %i to https is not followed by itself", async (status) => {
    await using server = await upgrading(status)
    await using engine = trusting()
    const url = server.url.replace("https:", "http:")
    await using opened = await openChannel(http(url, { engine, headers: secret }))
    expect(await opened.send(request(1))).toMatchObject({
      _tag: "Failed",
      error: { code: "redirect-refused", status, hint: expect.stringContaining(server.url) },
    })
    expect(server.arrivedPlain.map(({ method }) => method)).toEqual(["POST"])
    expect(server.arrived).toEqual([])
  })

  it.each([301, 302, 303, 307, 308])(
    "C095 with upgradeToHttps the message is repeated as it was after a %i",
    async (status) => {
      await using server = await upgrading(status)
      await using engine = trusting()
      const url = server.url.replace("https:", "http:")
      await using opened = await openChannel(
        http(url, { engine, headers: secret, upgradeToHttps: true }),
      )
      for (const id of [1, 2]) {
        expect(await opened.send(request(id))).toMatchObject({ _tag: "Ended", messages: 1 })
      }
      expect(server.arrivedPlain).toHaveLength(1)
      expect(server.arrived).toMatchObject([
        { method: "POST", path: "/mcp", body: JSON.stringify(request(1)), headers: secret },
        { method: "POST", path: "/mcp", body: JSON.stringify(request(2)), headers: secret },
      ])
    },
  )
})

describe("judgeRedirect", () => {
  const judge = (from: string, location: string, more: Partial<Redirect> = {}, upgrade = false) =>
    judgeRedirect(
      { method: "POST", from: new URL(from), status: 307, location, hops: 0, ...more },
      { upgradeToHttps: upgrade },
    )

  it("C094 refuses the way from https to http and suggests https", () => {
    const from = "https://h.example/mcp"
    expect(judge(from, "http://h.example/mcp/")).toMatchObject({ kind: "Refuse" })
    const suggested = suggestedAddress(new URL(from), new URL("http://u:p@h.example/mcp/"))
    expect(suggested.href).toBe("https://h.example/mcp/")
  })

  it("C095 repeats a POST on https only where that is allowed and nothing else changes", () => {
    const from = "http://h.example/mcp?a=1"
    const to = "https://h.example/mcp?a=1"
    expect(judge(from, to, { status: 301 })).toMatchObject({ kind: "Refuse" })
    expect(judge(from, to, { status: 301 }, true)).toEqual({ kind: "Follow", url: new URL(to) })
    for (const other of [
      "https://x.example/mcp?a=1",
      "https://h.example/",
      "https://h.example/mcp",
    ]) {
      expect(judge(from, other, { status: 301 }, true)).toMatchObject({ kind: "Refuse" })
    }
  })

  it("refuses credentials in the Location, and a Location that is no address", () => {
    expect(judge("https://h.example/", "https://u:p@h.example/x")).toMatchObject({ kind: "Refuse" })
    expect(judge("https://h.example/", "http://[")).toMatchObject({ kind: "Refuse", to: undefined })
    expect(judge("https://h.example/", "javascript:alert(1)")).toMatchObject({ kind: "Refuse" })
  })

  it("follows any redirect of a GET on the same origin", () => {
    const followed = judge("https://h.example/", "/x", { method: "GET", status: 302 })
    expect(followed).toEqual({ kind: "Follow", url: new URL("https://h.example/x") })
  })
})
