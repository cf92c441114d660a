import { describe, expect, it } from "vitest"
import { http, type HttpOptions } from "@entente/transport"
import { kindByFirstBytes } from "../src/streamable-http/media-type.js"
import { openChannel, request } from "./open-channel.js"
import {
  answerTo,
  event,
  eventStream,
  eventually,
  json,
  serve,
  type Handler,
} from "./http-server.js"
import { serveRaw } from "./raw-server.js"

const engines: ReadonlyArray<readonly [name: string, options: HttpOptions]> = [
  ["undici", {}],
  ["fetch", { fetch: (url, init) => globalThis.fetch(url, init) }],
]

const result = { jsonrpc: "2.0", id: 1, result: {} }
const asJson = JSON.stringify(result)
const asEvents = `data: ${asJson}\n\n`

/** What a receiver hears of an answer with such a type and body. */
const read = async (type: string | undefined, body: string, options: HttpOptions) => {
  await using server = await serve((_, response) => {
    response.writeHead(200, type === undefined ? {} : { "content-type": type }).end(body)
  })
  await using opened = await openChannel(http(server.url, options))
  const outcome = await opened.send(request(1))
  const { messages, notes, errors } = opened.recorder
  const contentType = server.arrived[0]?.headers["content-type"]
  return { outcome, messages, notes, errors, contentType }
}

describe.each(engines)("the type of an answer with %s", { timeout: 30_000 }, (_, engine) => {
  it.each([
    ["application/json; charset=utf-8", asJson],
    ["Application/JSON", asJson],
    ["application/json, application/json", asJson],
    ["application/json;charset=UTF-8, application/json", asJson],
    ["text/event-stream;charset=UTF-8", asEvents],
    ["Text/Event-Stream ; x=y", asEvents],
  ])("C122 %s is what its media type says, without a note", async (type, body) => {
    const { messages, notes, errors, contentType } = await read(type, body, engine)
    expect({ messages, notes, errors }).toEqual({ messages: [result], notes: [], errors: [] })
    // Of requests there is only one form.
    expect(contentType).toBe("application/json")
  })

  it.each<[type: string | undefined, body: string, kind: string]>([
    [undefined, asJson, "JSON"],
    ["text/plain", asJson, "JSON"],
    ["text/plain; charset=utf-8", ` \r\n\t${asJson}`, "JSON"],
    [undefined, `[${asJson}]`, "JSON"],
    [undefined, `\uFEFF${asJson}`, "JSON"],
    [undefined, asEvents, "an event stream"],
    ["text/plain", `event: message\n${asEvents}`, "an event stream"],
    ["TEXT/PLAIN", `id: 1\n${asEvents}`, "an event stream"],
    [undefined, `retry: 1000\n\n${asEvents}`, "an event stream"],
    [undefined, `: hello\n\n${asEvents}`, "an event stream"],
    ["text/plain", `\n\uFEFF\n${asEvents}`, "an event stream"],
  ])("C122 %s with %j is read as %s, with a note", async (type, body, kind) => {
    const { messages, notes, errors } = await read(type, body, engine)
    expect(errors).toEqual([])
    expect(messages).toEqual([body.startsWith("[") ? [result] : result])
    expect(notes).toEqual([
      { code: "content-type-sniffed", detail: expect.stringContaining(`read as ${kind}`) },
    ])
  })

  it.each([
    ["text/html", asJson],
    ["text/html; charset=utf-8", asEvents],
    ["application/octet-stream", asJson],
    [undefined, "<!doctype html>"],
    ["text/plain", "Service is starting"],
    ["text/plain", "dat"],
    ["text/plain", "\uFEFF".repeat(10) + "x"],
  ])("C122 %s with %j is never read as a message", async (type, body) => {
    const { outcome, messages, notes, errors } = await read(type, body, engine)
    expect({ messages, notes }).toEqual({ messages: [], notes: [] })
    expect(errors).toMatchObject([{ _tag: "ProtocolViolation", code: "unexpected-content" }])
    expect(outcome).toMatchObject({ _tag: "Ended", messages: 0 })
  })

  it("C122 knows the kind of a body at whatever byte it is cut", async () => {
    for (const body of [`\uFEFF \n${asJson}`, `\uFEFF\nretry: 5\r\n${asEvents}`]) {
      const bytes = Buffer.from(body)
      for (let at = 1; at < Math.min(bytes.length, 24); at++) {
        await using server = await serve((_, response) => {
          response.writeHead(200).write(bytes.subarray(0, at))
          setImmediate(() => response.end(bytes.subarray(at)))
        })
        await using opened = await openChannel(http(server.url, engine))
        await opened.send(request(1))
        expect({ at, messages: opened.recorder.messages }).toEqual({ at, messages: [result] })
      }
    }
  })

  it.each(["", " ", "\n\n"])(
    "C122 nothing at all, %j, is no message and no fault",
    async (body) => {
      const { outcome, notes, errors } = await read("text/plain", body, engine)
      expect({ notes, errors }).toEqual({ notes: [], errors: [] })
      expect(outcome).toMatchObject({ _tag: "Ended", status: 200, messages: 0 })
    },
  )

  it.each<[what: string, status: number, type: string | undefined, body: string]>([
    ["null", 200, "application/json", "null"],
    ["an empty body with a type", 200, "application/json", ""],
    ["text", 200, "text/plain; charset=UTF-8", "accepted"],
    ["no type", 200, undefined, "ok"],
    ["a web page", 201, "text/html", "<p>thanks"],
    ["a message", 200, "application/json", asJson],
    ["a long body", 200, "application/json", `"${"x".repeat(100_000)}"`],
  ])(
    "C052 a notification and a reply are acknowledged by %s, which is not read",
    async (_, status, type, body) => {
      await using server = await serve((_, response) => {
        response.writeHead(status, type === undefined ? {} : { "content-type": type }).end(body)
      })
      await using opened = await openChannel(http(server.url, engine))
      const told = { _tag: "Ended", status, messages: 0, streamed: false }
      const notification = { jsonrpc: "2.0", method: "notifications/initialized" } as const
      expect(await opened.send(notification)).toEqual(told)
      expect(await opened.send({ jsonrpc: "2.0", id: 1, result: {} })).toEqual(told)
      expect(opened.recorder).toMatchObject({ messages: [], notes: [], errors: [] })
    },
  )

  it("C052 a stream without end acknowledges too, and is left", async () => {
    let left = 0
    await using server = await serve((_, response) => {
      eventStream(response).write(event(result))
      response.on("close", () => left++)
    })
    await using opened = await openChannel(http(server.url, engine))
    const notification = { jsonrpc: "2.0", method: "notifications/initialized" } as const
    expect(await opened.send(notification)).toMatchObject({ _tag: "Ended", status: 200 })
    await eventually(() => left > 0)
    expect(opened.recorder.messages).toEqual([])
  })
})

describe("the first bytes of a body", () => {
  it.each([
    ["", undefined],
    [" \n", undefined],
    ["d", undefined],
    ["data", undefined],
    ["retry", undefined],
    ["{", "json"],
    ["\n [", "json"],
    ["data:", "event-stream"],
    [":", "event-stream"],
    ["datum", "other"],
    ["null", "other"],
    ["<", "other"],
    ['"', "other"],
  ])("C122 %j show %s", (text, kind) => {
    expect(kindByFirstBytes(text)).toBe(kind)
  })
})

describe("what is accepted", { timeout: 30_000 }, () => {
  const answering: Handler = (arrived, response) => {
    if (arrived.body.includes('"method":"tools/list"')) json(response, answerTo(arrived))
    else response.writeHead(202).end()
  }

  it("C121 V26-HDR-07 both types for every POST, an event stream for a GET, and no user takes them away", async () => {
    await using server = await serve(answering)
    const headers = { Accept: "application/json", accept: "*/*" }
    await using opened = await openChannel(
      http(server.url, { headers, requestHeaders: () => ({ ACCEPT: "text/html" }) }),
    )
    const more = { extraHeaders: { accept: "text/plain" } }
    await opened.send(request(1), more)
    await opened.send({ jsonrpc: "2.0", method: "notifications/initialized" }, more)
    await opened.send({ jsonrpc: "2.0", id: 7, result: {} }, more)
    await opened.send({ jsonrpc: "2.0", id: 8, error: { code: -1, message: "no" } }, more)
    const both = "application/json, text/event-stream"
    expect(server.arrived.map(({ headers: { accept } }) => accept)).toEqual([
      both,
      both,
      both,
      both,
    ])
  })

  it("V26-HDR-06 header names in any case", async () => {
    await using server = await serveRaw((socket) =>
      socket.write(
        `HTTP/1.1 200 OK\r\ncOnTeNt-TyPe: application/json\r\nMCP-SESSION-ID: S\r\nCONTENT-LENGTH: ${asJson.length}\r\n\r\n${asJson}`,
      ),
    )
    await using opened = await openChannel(http(server.url))
    await opened.send(request(1))
    expect(opened.recorder).toMatchObject({
      messages: [result],
      origins: [{ headers: { "mcp-session-id": "S" } }],
    })
  })
})
