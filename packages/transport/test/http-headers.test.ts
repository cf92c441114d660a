import { describe, expect, it } from "vitest"
import { explain, InvalidInput } from "@entente/protocol"
import { http, type RequestDecorator, type RequestHead } from "@entente/transport"
import { openChannel, request } from "./open-channel.js"
import { answerTo, deferred, json, serve, type Handler } from "./http-server.js"

const answering: Handler = (arrived, response) => json(response, answerTo(arrived))

describe("headers of a request", { timeout: 30_000 }, () => {
  it("C128 lets the caller win over suppliers, suppliers over fixed ones, the protocol over all", async () => {
    await using server = await serve(answering)
    const all = (value: string) => ({
      "X-Fixed": value,
      "X-Supplied": value,
      "X-Authorized": value,
      "X-Caller": value,
      Accept: value,
      "Content-Type": value,
      "MCP-Protocol-Version": value,
    })
    const pick = (value: string, ...names: ReadonlyArray<string>) =>
      Object.fromEntries(Object.entries(all(value)).filter(([name]) => !names.includes(name)))
    await using opened = await openChannel(
      http(server.url, {
        headers: all("fixed"),
        requestHeaders: () => pick("supplied", "X-Fixed"),
        authorization: {
          headers: async () => pick("authorized", "X-Fixed", "X-Supplied"),
          refused: () => "give-up",
        },
      }),
    )
    await opened.send(request(1), {
      headers: { "MCP-Protocol-Version": "2025-11-25" },
      extraHeaders: { ...pick("caller", "X-Fixed", "X-Supplied", "X-Authorized") },
    })
    expect(server.arrived[0]?.headers).toMatchObject({
      "x-fixed": "fixed",
      "x-supplied": "supplied",
      "x-authorized": "authorized",
      "x-caller": "caller",
      accept: "application/json, text/event-stream",
      "content-type": "application/json",
      "mcp-protocol-version": "2025-11-25",
    })
  })

  it("C121 V25-SEC-01 takes no protocol header from the user, also where the session has none", async () => {
    await using server = await serve(answering)
    const headers = { "mcp-session-id": "mine", accept: "*/*" }
    await using opened = await openChannel(http(server.url, { headers }))
    await opened.send(request(1))
    expect(server.arrived[0]?.headers).not.toHaveProperty("mcp-session-id")
    expect(server.arrived[0]?.headers.accept).toBe("application/json, text/event-stream")
  })

  it("C128 asks the supplier for every request, with where it goes", async () => {
    await using server = await serve(answering)
    const asked: Array<RequestHead> = []
    const requestHeaders = (head: RequestHead) => {
      asked.push(head)
      return Promise.resolve({ authorization: `Bearer T${asked.length}` })
    }
    await using opened = await openChannel(http(server.url, { requestHeaders }))
    await opened.send(request(1))
    await opened.send(request(2))
    expect(server.arrived.map(({ headers }) => headers.authorization)).toEqual([
      "Bearer T1",
      "Bearer T2",
    ])
    expect(asked[0]).toEqual({ method: "POST", url: new URL(server.url) })
  })

  it("refuses a value with a line break and sends nothing", async () => {
    await using server = await serve(answering)
    await using opened = await openChannel(http(server.url))
    for (const value of ["a\r\nX-Evil: 1", "a\nb", "a\0", "€"]) {
      expect(await opened.send(request(1), { extraHeaders: { "X-A": value } })).toMatchObject({
        _tag: "Failed",
        mayHaveArrived: false,
        error: { _tag: "InvalidInput", message: expect.stringContaining("X-A") },
      })
    }
    expect(await opened.send(request(1), { headers: { "Mcp-Name": "a\nb" } })).toMatchObject({
      error: { _tag: "InvalidInput" },
    })
    expect(server.arrived).toEqual([])
  })

  it("refuses fixed headers that are none when the transport is described", () => {
    const describing = (headers: Record<string, string>) => () => http("http://h/", { headers })
    expect(describing({ "X A": "1" })).toThrow(InvalidInput)
    expect(describing({ "Content-Length": "1" })).toThrow(/belongs to the HTTP connection/)
    expect(() => http("stdio:x")).toThrow(InvalidInput)
    expect(() => http("not a url")).toThrow(InvalidInput)
  })

  it("fails a message whose supplier fails, with its cause and nothing sent", async () => {
    await using server = await serve(answering)
    const cause = new Error("keychain locked")
    const requestHeaders = () => Promise.reject(cause)
    await using opened = await openChannel(http(server.url, { requestHeaders }))
    expect(await opened.send(request(1))).toMatchObject({
      _tag: "Failed",
      mayHaveArrived: false,
      error: { _tag: "InvalidInput", cause },
    })
    expect(server.arrived).toEqual([])
  })

  it("sends nothing when it is aborted while it waits for a supplier", async () => {
    await using server = await serve(answering)
    const { promise, resolve } = deferred()
    const requestHeaders = () => promise.then(() => ({}))
    await using opened = await openChannel(http(server.url, { requestHeaders }))
    const outcomes: Array<string> = []
    opened.channel.send({ message: request(1) }, ({ _tag }) => outcomes.push(_tag)).abort()
    resolve()
    await opened.send(request(2))
    expect(outcomes).toEqual(["Aborted"])
    expect(server.arrived).toHaveLength(1)
  })

  it("turns credentials in the URL into a header and shows them nowhere", async () => {
    await using server = await serve(answering)
    const transport = http(server.url.replace("//", "//me:p%C3%A4ss@"))
    expect(transport.target).toBe(server.url)
    expect(transport.key).toBe(server.url)
    await using opened = await openChannel(transport)
    await opened.send(request(1))
    const basic = Buffer.from("me:päss").toString("base64")
    expect(server.arrived[0]?.headers.authorization).toBe(`Basic ${basic}`)
    expect(() => http("https://100%@h.example/")).not.toThrow()
  })
})

describe("the names of an endpoint", () => {
  it("V26-ERA-13 keeps endpoints apart, also where they differ only in a hidden secret", () => {
    const keys = ["/a", "/b", "/a?token=one", "/a?token=two"].map(
      (path) => http(`https://h.example${path}`).key,
    )
    expect(new Set(keys).size).toBe(4)
    expect(keys.join(" ")).not.toMatch(/one|two/)
    expect(http("https://h.example/a?token=one").key).toBe(keys[2])
  })
})

describe("a request decorator", { timeout: 30_000 }, () => {
  /** Accepts one token, and refuses every other. */
  const guarded =
    (token: string, status = 401): Handler =>
    (arrived, response) => {
      if (arrived.headers.authorization === `Bearer ${token}`) return answering(arrived, response)
      response.writeHead(status, { "www-authenticate": "Bearer error=expired" }).end("expired")
    }

  const tokens = (...list: ReadonlyArray<string>) => {
    const refusals: Array<string> = []
    let at = 0
    const decorator: RequestDecorator = {
      headers: () => Promise.resolve({ authorization: `Bearer ${list[at]}` }),
      refused: async ({ status, headers, text }, { method }) => {
        refusals.push(`${method} ${status} ${headers["www-authenticate"]} ${text}`)
        at += 1
        return at < list.length ? "retry" : "give-up"
      },
    }
    return { decorator, refusals }
  }

  it.each([401, 403])(
    "V25-HTTP-42 V26-HTTP-16 is shown a %i and has the message sent again",
    async (status) => {
      await using server = await serve(guarded("new", status))
      const { decorator, refusals } = tokens("old", "new")
      await using opened = await openChannel(http(server.url, { authorization: decorator }))
      expect(await opened.send(request(1))).toMatchObject({ _tag: "Ended", messages: 1 })
      expect(refusals).toEqual([`POST ${status} Bearer error=expired expired`])
      expect(server.arrived.map(({ body }) => body)).toEqual(
        [1, 1].map((id) => JSON.stringify(request(id))),
      )
    },
  )

  it("lets the refusal stand when it gives up", async () => {
    await using server = await serve(guarded("never"))
    const { decorator } = tokens("a", "b")
    await using opened = await openChannel(http(server.url, { authorization: decorator }))
    expect(await opened.send(request(1))).toMatchObject({
      _tag: "Rejected",
      rejection: { status: 401, text: "expired" },
    })
    expect(server.arrived).toHaveLength(2)
  })

  it("is asked three times for one message and no more", async () => {
    await using server = await serve(guarded("never"))
    const { decorator, refusals } = tokens(..."abcdefgh")
    await using opened = await openChannel(http(server.url, { authorization: decorator }))
    expect(await opened.send(request(1))).toMatchObject({ _tag: "Rejected" })
    expect(refusals).toHaveLength(3)
    expect(server.arrived).toHaveLength(4)
  })

  it("is not asked about any other status", async () => {
    await using server = await serve(guarded("never", 500))
    const { decorator, refusals } = tokens("a", "b")
    await using opened = await openChannel(http(server.url, { authorization: decorator }))
    expect(await opened.send(request(1))).toMatchObject({ rejection: { status: 500 } })
    expect(refusals).toEqual([])
  })

  it("fails the message with its own error where it throws one", async () => {
    await using server = await serve(guarded("never"))
    const own = new InvalidInput(explain("invalid-input", "request", "t", "The user said no."))
    const refused = () => Promise.reject(own)
    const headers = () => ({})
    await using opened = await openChannel(
      http(server.url, { authorization: { headers, refused } }),
    )
    expect(await opened.send(request(1))).toEqual({
      _tag: "Failed",
      error: own,
      mayHaveArrived: true,
    })
  })
})
