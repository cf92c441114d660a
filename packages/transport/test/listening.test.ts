import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import {
  http,
  type RequestDecorator,
  type StreamEnd,
  type StreamPosition,
  type StreamRequest,
} from "@entente/transport"
import { fetchEngine } from "../src/http/engine/fetch-engine.js"
import { openChannel, request, type Opened } from "./open-channel.js"
import { answerTo, deferred, event, eventStream, json, serve, type Handler } from "./http-server.js"

interface Heard {
  readonly opened: number
  readonly delivered: number
  readonly end: StreamEnd
}

/** Opens a stream and waits for its end. */
const listen = ({ channel }: Opened, stream: StreamRequest): Promise<Heard> => {
  let [opened, delivered] = [0, 0]
  return new Promise((resolve) => {
    channel.openStream!(stream, {
      opened: () => opened++,
      delivered: () => delivered++,
      ended: (end) => resolve({ opened, delivered, end }),
    })
  })
}

const positionOf = (end: StreamEnd): StreamPosition => {
  if (end._tag !== "Dropped") throw new Error(`It was ${end._tag}`)
  return end.position
}

const notice = { jsonrpc: "2.0", method: "notifications/tools/list_changed" }

describe("a GET stream", { timeout: 30_000 }, () => {
  it("V25-HTTP-11 asks for an event stream with the session's headers, and brings messages", async () => {
    await using server = await serve((_, response) => eventStream(response).end(event(notice)))
    await using opened = await openChannel(http(server.url, { headers: { "x-a": "1" } }))
    const { end, ...heard } = await listen(opened, { headers: { "MCP-Session-Id": "s1" } })
    expect(heard).toEqual({ opened: 1, delivered: 1 })
    expect(positionOf(end)).toMatchObject({ lastEventId: undefined, retryMs: undefined })
    expect(opened.recorder.messages).toEqual([notice])
    expect(server.arrived).toMatchObject([
      {
        method: "GET",
        headers: { accept: "text/event-stream", "mcp-session-id": "s1", "x-a": "1" },
      },
    ])
    expect(server.arrived[0]?.headers).not.toHaveProperty("last-event-id")
    expect(server.arrived[0]?.headers).not.toHaveProperty("content-type")
  })

  it("V25-HTTP-17 V25-HTTP-18 goes on from the last event id, byte for byte, and hears no replay", async () => {
    const id = "a/1:2 3 é 🙂"
    const replay = `id: ${id}\n${event({ ...notice, params: { first: true } })}`
    await using server = await serve((arrived, response) => {
      const isSecond = "last-event-id" in arrived.headers
      const more = isSecond ? `id: next\n${event(notice)}` : "retry: 750\n\n"
      eventStream(response).end(replay + more)
    })
    await using opened = await openChannel(http(server.url))
    const first = positionOf((await listen(opened, { headers: {} })).end)
    expect(first).toMatchObject({ lastEventId: id, retryMs: 750 })
    const second = positionOf((await listen(opened, { headers: {}, from: first })).end)
    expect(second.lastEventId).toBe("next")
    const sent = server.arrived[1]?.headers["last-event-id"]
    expect(Buffer.from(String(sent), "latin1").toString("utf8")).toBe(id)
    expect(opened.recorder.messages).toEqual([{ ...notice, params: { first: true } }, notice])
    expect(opened.recorder.notes).toMatchObject([{ code: "event-replayed" }])
  })

  it("V25-HTTP-26 the same id twice on one connection is no replay", async () => {
    await using server = await serve((_, response) =>
      eventStream(response).end(`id: 1\n${event(notice)}id: 1\n${event(notice)}`),
    )
    await using opened = await openChannel(http(server.url))
    await listen(opened, { headers: {} })
    expect(opened.recorder.messages).toHaveLength(2)
  })

  it("an id that no header can carry, or that is too long, is nothing to go on from", async () => {
    const ids = ["a\u0001b", "x".repeat(5_000), ""]
    await using server = await serve(({ headers }, response) =>
      eventStream(response).end(`id: good\n\nid: ${ids[Number(headers["x-n"])]}\n\n`),
    )
    await using opened = await openChannel(http(server.url))
    for (const n of ids.keys()) {
      const extraHeaders = { "x-n": String(n) }
      const { end } = await listen(opened, { headers: {}, extraHeaders })
      expect(positionOf(end).lastEventId).toBeUndefined()
    }
  })

  it.each<[string, Handler, Partial<StreamEnd> & object]>([
    ["405", (_, response) => response.writeHead(405).end(), { _tag: "Rejected" }],
    [
      "a page",
      (_, r) => r.writeHead(200, { "content-type": "text/html" }).end("<p>"),
      { _tag: "NoStream" },
    ],
    ["JSON", (_, response) => json(response, {}), { _tag: "NoStream" }],
    ["204", (_, response) => response.writeHead(204).end(), { _tag: "NoStream" }],
    [
      "a redirect to another origin",
      (_, response) => response.writeHead(307, { location: "http://other.example/mcp" }).end(),
      { _tag: "NoStream" },
    ],
    ["a cut before the head", (_, response) => response.destroy(), { _tag: "Failed" }],
  ])("V25-HTTP-12 C049 tells how it ended: %s", async (_, handler, expected) => {
    await using server = await serve(handler)
    await using opened = await openChannel(http(server.url))
    const heard = await listen(opened, { headers: {} })
    expect(heard).toMatchObject({ opened: 0, delivered: 0, end: expected })
  })

  it("C049 a 401 without a challenge asks nobody for other credentials, one with a challenge does", async () => {
    const refusals: Array<string> = []
    const authorization: RequestDecorator = {
      headers: () => ({ authorization: "Bearer T" }),
      refused: (_, { method }) => {
        refusals.push(method)
        return "give-up"
      },
    }
    await using server = await serve(({ headers }, response) => {
      const challenge = "x-challenge" in headers ? { "www-authenticate": "Bearer" } : {}
      response.writeHead(401, challenge).end()
    })
    await using opened = await openChannel(http(server.url, { authorization }))
    const extraHeaders = { "x-challenge": "yes" }
    expect(await listen(opened, { headers: {} })).toMatchObject({ end: { _tag: "Rejected" } })
    await Effect.runPromise(opened.channel.endSession!({}))
    expect(refusals).toEqual([])
    await listen(opened, { headers: {}, extraHeaders })
    // A message has to get through, so its refusal counts in any case.
    await opened.send(request(1))
    expect(refusals).toEqual(["GET", "POST"])
  })

  it("tells a cut in the middle with its cause", async () => {
    await using server = await serve((_, response) => {
      eventStream(response).write(`id: 1\n${event(notice)}`, () => response.destroy())
    })
    await using opened = await openChannel(http(server.url))
    const { end } = await listen(opened, { headers: {} })
    expect(end).toMatchObject({
      _tag: "Dropped",
      error: { _tag: "Unreachable" },
      position: { lastEventId: "1" },
    })
  })

  it("an event that can't be read ends the stream, and is nothing to go on from", async () => {
    await using server = await serve((_, response) => {
      eventStream(response).write("id: 1\ndata: {broken\n\n")
    })
    await using opened = await openChannel(http(server.url))
    const { end } = await listen(opened, { headers: {} })
    expect(end).toMatchObject({ _tag: "Dropped", position: { lastEventId: undefined } })
    expect(opened.recorder.errors).toMatchObject([{ code: "invalid-message" }])
    await until(() => server.sockets.size === 0)
  })

  it("abort closes it, and nothing is heard afterwards", async () => {
    const { resolve, promise } = deferred()
    await using server = await serve((_, response) => {
      eventStream(response).write(event(notice))
      response.on("close", resolve)
    })
    await using opened = await openChannel(http(server.url))
    const sent = await new Promise<{ abort: () => void }>((started) => {
      const stream = opened.channel.openStream!(
        { headers: {} },
        {
          opened: () => {},
          delivered: () => started(stream),
          ended: () => expect.unreachable(),
        },
      )
    })
    sent.abort()
    await promise
  })

  it("the end of the channel ends it too", async () => {
    const { resolve, promise } = deferred()
    await using server = await serve((_, response) => {
      eventStream(response).write(event(notice))
      response.on("close", resolve)
    })
    const opened = await openChannel(http(server.url))
    await new Promise<void>((delivered) => {
      opened.channel.openStream!(
        { headers: {} },
        { opened: () => {}, delivered, ended: () => expect.unreachable() },
      )
    })
    await opened[Symbol.asyncDispose]()
    await promise
  })

  it("works the same through fetch", async () => {
    await using server = await serve((_, response) =>
      eventStream(response).end(`id: 7\n${event(notice)}`),
    )
    const engine = fetchEngine((url, init) => fetch(url, init))
    await using opened = await openChannel(http(server.url, { engine }))
    const { end } = await listen(opened, { headers: {} })
    expect(positionOf(end).lastEventId).toBe("7")
    expect(opened.recorder.messages).toEqual([notice])
  })
})

describe("where an answer's stream stood", { timeout: 30_000 }, () => {
  const outcomeOf = async (handler: Handler) => {
    await using server = await serve(handler)
    await using opened = await openChannel(http(server.url))
    return await opened.send(request(1))
  }

  it("V25-HTTP-20 is told when it ends without the answer, after a clean end and after a cut", async () => {
    const priming = "id: p1\nretry: 500\ndata: \n\n"
    const ended = await outcomeOf((_, response) => eventStream(response).end(priming))
    const position = { lastEventId: "p1", retryMs: 500 }
    expect(ended).toMatchObject({ _tag: "Ended", messages: 0, position })
    const cut = await outcomeOf((_, response) => {
      eventStream(response).write(priming, () => response.destroy())
    })
    expect(cut).toMatchObject({ _tag: "Failed", mayHaveArrived: true, position })
  })

  it("V25-HTTP-24 is not told where no event had an id", async () => {
    const ended = await outcomeOf((_, response) => eventStream(response).end("data: \n\n"))
    expect(ended).not.toHaveProperty("position")
  })

  it("V25-HTTP-08 is not told where the answer had come", async () => {
    const ended = await outcomeOf((arrived, response) =>
      eventStream(response).end(`id: 1\n${event(answerTo(arrived))}`),
    )
    expect(ended).toMatchObject({ _tag: "Ended", messages: 1 })
    expect(ended).not.toHaveProperty("position")
  })
})

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await new Promise((resolve) => setImmediate(resolve))
}
