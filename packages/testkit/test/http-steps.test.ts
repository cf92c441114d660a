import { once } from "node:events"
import { afterEach, describe, expect, it } from "vitest"
import type { Script, Step } from "../src/index.js"
import { notification } from "../src/index.js"
import { startHttpPeer, type HttpPeer } from "../src/node.js"
import { call, post, reader } from "./raw-clients.js"

const open: Array<HttpPeer> = []
const start = async (script: Script): Promise<HttpPeer> => {
  const peer = await startHttpPeer(script)
  open.push(peer)
  return peer
}
afterEach(async () => {
  for (const peer of open.splice(0)) await peer.close()
})

const answer = async (
  reply: ReadonlyArray<Step>,
  rest: Partial<Script> = {},
): Promise<Response> => {
  const peer = await start({ rules: [{ when: { method: "x" }, reply }], ...rest })
  return post(peer.url, call(5, "x"))
}

const json = (response: Response): Promise<unknown> => response.json()

describe("messages over HTTP", () => {
  it("one message is JSON with a length", async () => {
    const response = await answer([{ result: { a: 1 } }])
    expect(response.status).toBe(200)
    expect(response.headers.get("content-type")).toBe("application/json")
    expect(response.headers.get("content-length")).toBe("41")
    expect(await json(response)).toEqual({ jsonrpc: "2.0", id: 5, result: { a: 1 } })
  })

  it("an error can have a status and headers of its own", async () => {
    const error = { code: -32020, message: "mismatch" }
    const headers = { "x-note": "a", "content-type": "Application/JSON" }
    const response = await answer([{ error, status: 400, headers }], { answers: "sse" })
    expect(response.status).toBe(400)
    expect(response.headers.get("x-note")).toBe("a")
    expect(response.headers.get("content-type")).toBe("Application/JSON")
    expect(await json(response)).toEqual({ jsonrpc: "2.0", id: 5, error })
  })

  it("C122 a header can be left out", async () => {
    const response = await answer([{ result: {}, headers: { "Content-Type": null } }])
    expect(response.headers.get("content-type")).toBeNull()
  })

  it("several messages are an event stream", async () => {
    const response = await answer([{ message: notification("n") }, { result: {} }])
    expect(response.headers.get("content-type")).toBe("text/event-stream")
    expect(await response.text()).toBe(
      'data: {"jsonrpc":"2.0","method":"n"}\n\ndata: {"jsonrpc":"2.0","id":5,"result":{}}\n\n',
    )
  })

  it("answers: sse makes an event stream of one message too", async () => {
    const response = await answer([{ result: {}, headers: { "x-note": "a" } }], { answers: "sse" })
    expect(response.headers.get("content-type")).toBe("text/event-stream")
    expect(response.headers.get("x-note")).toBe("a")
    expect(await response.text()).toBe('data: {"jsonrpc":"2.0","id":5,"result":{}}\n\n')
  })

  it("V25-HTTP-08 a message before silence leaves the stream open", async () => {
    const read = reader(await answer([{ result: {} }, { silence: true }]))
    expect(await read()).toBe('data: {"jsonrpc":"2.0","id":5,"result":{}}\n\n')
    await open[0]?.close()
    await expect(read()).rejects.toThrow("terminated")
  })
})

describe("what HTTP can carry besides messages", () => {
  it("http gives status, headers and body", async () => {
    const response = await answer([{ http: { status: 503, text: "out of order" } }])
    expect(response.status).toBe(503)
    expect(response.headers.get("content-type")).toBe("text/plain")
    expect(await response.text()).toBe("out of order")
    const other = await answer([
      { http: { json: null, headers: { "set-cookie": ["a=1", "b=2"] } } },
    ])
    expect(await json(other)).toBeNull()
    expect(other.headers.getSetCookie()).toEqual(["a=1", "b=2"])
  })

  it("C094 a redirect is a status and a header", async () => {
    const response = await answer([{ http: { status: 307, headers: { location: "/mcp/" } } }])
    expect([response.status, response.headers.get("location")]).toEqual([307, "/mcp/"])
  })

  it("C104 headers go out before a body that comes later", async () => {
    const peer = await start({
      rules: [{ when: {}, reply: [{ http: { text: "" } }, { silence: true }] }],
    })
    const response = await post(peer.url, call(1, "x"))
    peer.play([{ raw: "la" }, { raw: { base64: "dGU=" } }], { method: "x" })
    expect(await response.text()).toBe("late")
  })

  it("raw is the body, byte for byte", async () => {
    const response = await answer([{ raw: { base64: "/wA=" } }, { raw: "z" }])
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(new Uint8Array([255, 0, 122]))
  })

  it("event and comment write an event stream", async () => {
    const response = await answer([
      { comment: "keep-alive" },
      { event: { id: "e1", event: "message", retry: 500, data: "a\nb" } },
      { event: { id: "p1", data: "" } },
      { event: { message: { id: { $from: "/id" } } } },
    ])
    expect(response.headers.get("content-type")).toBe("text/event-stream")
    expect(await response.text()).toBe(
      ": keep-alive\n\n" +
        "id: e1\nevent: message\nretry: 500\ndata: a\ndata: b\n\n" +
        "id: p1\ndata: \n\n" +
        'data: {"id":5}\n\n',
    )
  })

  it("C047 a stream can end without an event", async () => {
    const head = { http: { headers: { "content-type": "text/event-stream" } } }
    const peer = await start({ rules: [{ when: { httpMethod: "GET" }, reply: [head] }] })
    const response = await fetch(peer.url)
    expect(response.headers.get("content-type")).toBe("text/event-stream")
    expect(await response.text()).toBe("")
  })
})

describe("ends over HTTP", () => {
  it("C050 silence sends nothing, not even headers", async () => {
    const peer = await start({ rules: [{ when: {}, reply: [{ silence: true }] }] })
    const response = post(peer.url, call(1, "x"))
    await peer.next("x")
    peer.play([{ http: { status: 418 } }], { method: "x" })
    expect((await response).status).toBe(418)
  })

  it("destroy before anything was sent cuts the connection", async () => {
    await expect(answer([{ destroy: true }])).rejects.toThrow("fetch failed")
  })

  it("C115 destroy after an event lets the event through", async () => {
    const read = reader(await answer([{ event: { id: "e1", data: "" } }, { destroy: true }]))
    expect(await read()).toBe("id: e1\ndata: \n\n")
    await expect(read()).rejects.toThrow("terminated")
  })

  it("destroy cuts a body in the middle", async () => {
    const response = await answer([{ http: { text: "half" } }, { destroy: true }])
    await expect(response.text()).rejects.toThrow("terminated")
  })
})

describe("a step that fails while it is played", () => {
  it("cuts the exchange and surfaces as an uncaught error", async () => {
    const runner = process.listeners("uncaughtException")
    process.removeAllListeners("uncaughtException")
    try {
      const uncaught = once(process, "uncaughtException")
      const response = await answer([{ comment: "" }, { http: { status: 404 } }])
      await expect(response.text()).rejects.toThrow("terminated")
      expect((await uncaught)[0]).toMatchObject({ code: "invalid-input" })
    } finally {
      for (const listener of runner) process.on("uncaughtException", listener)
    }
  })
})
