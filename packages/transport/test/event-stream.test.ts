import { createParser } from "eventsource-parser"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { http } from "@entente/transport"
import { EventStream, type StreamEvent } from "../src/framing/event-stream.js"
import { cutAt, everySplit, singly } from "./cuts.js"
import { eventLimit, eventStreamVectors, type EventStreamVector } from "./vectors/event-streams.js"
import { openChannel, request } from "./open-channel.js"
import { deferred, event, eventStream, serve } from "./http-server.js"

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

const read = (chunks: Iterable<Uint8Array>, maxBytes = 10_000) => {
  const events: Array<StreamEvent> = []
  const ids: Array<string> = []
  const retries: Array<number> = []
  let oversized = 0
  const stream = new EventStream(maxBytes, {
    event: (one) => events.push(one),
    id: (id) => ids.push(id),
    retry: (ms) => retries.push(ms),
    oversized: () => oversized++,
  })
  for (const chunk of chunks) stream.push(chunk)
  return { events, ids, retries, oversized }
}

const readText = (...texts: ReadonlyArray<string>) => read(texts.map(bytesOf))

const expectedOf = ({ events = [], ids = [], retries = [], oversized = 0 }: EventStreamVector) => ({
  events,
  ids,
  retries,
  oversized,
})

/** Vectors that may stand one after another: nothing of them is left open, and none ends the stream. */
const endless = eventStreamVectors.filter(
  ({ bytes, oversized }) =>
    oversized === undefined &&
    // A byte order mark is one at the start only.
    bytes[0] !== 0xef &&
    /^$|\n\n$|\r\r$|\r\n\r\n$/.test(new TextDecoder().decode(bytes)),
)

describe("EventStream", () => {
  it.each(eventStreamVectors)("$name: V25-HTTP-25 at every split point", (vector) => {
    const expected = expectedOf(vector)
    for (const chunks of everySplit(vector.bytes)) {
      expect(read(chunks, eventLimit)).toEqual(expected)
    }
  })

  it.each(eventStreamVectors)("$name: V25-HTTP-25 byte by byte", (vector) => {
    expect(read(singly(vector.bytes), eventLimit)).toEqual(expectedOf(vector))
  })

  it("C038 C040 C041 V25-HTTP-25 reads the same from any sequence of vectors, cut anywhere", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...endless), { minLength: 1, maxLength: 6 }),
        fc.array(fc.nat()),
        (vectors, cuts) => {
          const bytes = Uint8Array.from(vectors.flatMap((one) => [...one.bytes]))
          const all = vectors.map(expectedOf)
          expect(read(cutAt(bytes, cuts), eventLimit)).toEqual({
            events: all.flatMap(({ events }) => events),
            ids: all.flatMap(({ ids }) => ids),
            retries: all.flatMap(({ retries }) => retries),
            oversized: 0,
          })
        },
      ),
      { numRuns: 2_000 },
    )
  })

  const byte = fc.oneof(fc.constantFrom(...bytesOf("\r\n\r\n: adeintrvy0\0")), fc.nat(255))
  const line = fc.oneof(
    fc.constantFrom("data", "data: x", "id: 1", "id", "event: a", "retry: 5", ":", "", ""),
    fc.string({ unit: "grapheme", maxLength: 8 }),
  )
  const text = fc
    .array(fc.tuple(line, fc.constantFrom("\n", "\r", "\r\n")), { maxLength: 30 })
    .map((parts) => bytesOf(parts.flat().join("")))

  it("V25-HTTP-25 reads the same from any bytes, however they are cut", () => {
    const bytes = fc.oneof(
      text,
      fc.array(byte, { maxLength: 200 }).map((values) => Uint8Array.from(values)),
    )
    fc.assert(
      fc.property(bytes, fc.array(fc.nat()), (whole, cuts) => {
        expect(read(cutAt(whole, cuts))).toEqual(read([whole]))
      }),
      { numRuns: 4_000 },
    )
  })

  it("V25-HTTP-25 reads the events that another parser reads, where that one can be trusted", () => {
    fc.assert(
      fc.property(text, (bytes) => {
        const events: Array<StreamEvent> = []
        const parser = createParser({
          onEvent: ({ event = "message", data, id }) => events.push({ type: event, data, id }),
        })
        // It wants text, and waits after a CR for the LF that may follow; so it gets it all at once.
        parser.feed(new TextDecoder().decode(bytes).replace(/\r\n?/g, "\n"))
        expect(read([bytes]).events).toEqual(events)
      }),
      { numRuns: 2_000 },
    )
  })

  it("eventsource-parser itself waits after a CR, and drops the id of a block without data", () => {
    const seen: Array<unknown> = []
    const parser = createParser({ onEvent: (event) => seen.push(event) })
    parser.feed("data: x\r\r")
    expect(seen).toEqual([])
    parser.reset()
    parser.feed("id: 1\n\ndata: y\n\n")
    expect(seen).toEqual([{ id: undefined, event: undefined, data: "y" }])
    expect(readText("data: x\r\r").events).toHaveLength(1)
    expect(readText("id: 1\n\ndata: y\n\n").ids).toEqual(["1"])
  })

  it("dispatches an event at its blank line, whatever ends that line", () => {
    for (const end of ["\n", "\r", "\r\n"]) {
      expect(read([bytesOf(`data: x${end}${end}`)]).events).toHaveLength(1)
    }
  })

  it("V25-HTTP-25 ignores an id with NUL and discards an incomplete event", () => {
    const { events } = read([bytesOf("id: a\0b\ndata: x\n\nid: later\ndata: y\n")])
    expect(events).toEqual([{ type: "message", data: "x", id: undefined }])
  })

  it("V25-HTTP-25 commits an id at its blank line, also without data, and never before", () => {
    expect(readText("id: 1\n").ids).toEqual([])
    expect(readText("id: 1\n", "\n")).toMatchObject({ ids: ["1"], events: [] })
    expect(readText("id: 1\ndata: x\n\ndata: y\n\nid: 2\n").ids).toEqual(["1"])
    expect(readText("id: 1\nid: 2\n\nid\n\nid:3\n\n").ids).toEqual(["2", "", "3"])
    expect(readText("id: a\0b\n\nid: 1\nid: \0\n\n").ids).toEqual(["1"])
    expect(readText("id:  é 🙂\r\r").ids).toEqual([" é 🙂"])
  })

  it("tells the id of a block before its event", () => {
    const order: Array<string> = []
    const stream = new EventStream(100, {
      id: (id) => order.push(`id ${id}`),
      event: ({ data }) => order.push(data),
      oversized: () => {},
    })
    stream.push(bytesOf("data: one\nid: 1\n\ndata: two\n\n"))
    expect(order).toEqual(["id 1", "one", "two"])
  })

  it("V25-HTTP-22 V25-HTTP-25 tells retry as soon as its line is over, and only if it is a number", () => {
    expect(readText("retry: 500\n").retries).toEqual([500])
    expect(readText("retry:0\n\nid: 1\nretry: 20\ndata: x\n\n").retries).toEqual([0, 20])
    const broken = ["", " ", "soon", "-1", "+1", "1.5", "1e3", " 1", "1 ", "0x10", "٣"]
    expect(readText(...broken.map((value) => `retry:  ${value}\n`), "retry\n\n").retries).toEqual(
      [],
    )
    expect(readText(`retry: ${"9".repeat(400)}\n`).retries).toEqual([Number.MAX_SAFE_INTEGER])
  })

  it("drops a byte order mark at the start of the stream and nowhere else", () => {
    expect(readText("\uFEFFdata: x\n\n").events).toMatchObject([{ data: "x" }])
    expect(readText("\uFEFF\n\n\uFEFFdata: x\n\n").events).toEqual([])
    expect(readText("data: \uFEFFx\n\n").events).toMatchObject([{ data: "\uFEFFx" }])
  })

  it("is silent once it was closed, also in the middle of a chunk", () => {
    const seen: Array<string> = []
    const stream = new EventStream(100, {
      id: (id) => {
        seen.push(id)
        if (id === "2") stream.close()
      },
      event: ({ data }) => seen.push(data),
      oversized: () => seen.push("oversized"),
    })
    stream.push(bytesOf(`id: 1\ndata: a\n\nid: 2\ndata: b\n\nid: 3\n\ndata: ${"x".repeat(200)}\n`))
    stream.push(bytesOf("id: 4\n\n"))
    expect(seen).toEqual(["1", "a", "2"])
  })

  it("stops at an event past the limit, counted in bytes, however it arrives", () => {
    const big = `data: ${"é".repeat(60)}\n\n`
    for (const chunks of [[big + event(1)], [...big], [`data: ${"x".repeat(500)}`]]) {
      expect(read(chunks.map(bytesOf), 100)).toMatchObject({ events: [], oversized: 1 })
    }
    expect(read([bytesOf(`data: ${"é".repeat(50)}\n\n`)], 100).oversized).toBe(0)
  })

  it("counts each event by itself and comments not at all", () => {
    const chunk = bytesOf(`: ${"c".repeat(60)}\n${`data: ${"x".repeat(60)}\n\n`.repeat(10)}`)
    expect(read([chunk, chunk], 100)).toMatchObject({ oversized: 0, events: { length: 20 } })
    const long = Array.from(`:${"c".repeat(500)}\ndata: x\n\n`, bytesOf)
    expect(read(long, 100)).toMatchObject({ oversized: 0, events: { length: 1 } })
  })

  it("counts every line of an event, with the line feeds between them", () => {
    const lines = `data: ${"x".repeat(49)}\ndata:${"x".repeat(50)}`
    expect(read([bytesOf(`${lines}\n\n`)], 100)).toMatchObject({
      oversized: 0,
      events: { length: 1 },
    })
    expect(read([bytesOf(`${lines}x\n\n`)], 100)).toMatchObject({ oversized: 1, events: [] })
    expect(read(Array(101).fill(bytesOf("data\n")), 100).oversized).toBe(0)
    expect(read(Array(102).fill(bytesOf("data\n")), 100).oversized).toBe(1)
  })
})

describe("an answer as event stream", { timeout: 30_000 }, () => {
  it("V25-HTTP-06 V25-RPC-08 reads the same messages at every split of the bytes", async () => {
    const values = [
      { jsonrpc: "2.0", method: "n/—🙂" },
      { jsonrpc: "2.0", id: 1, result: {} },
    ]
    const bytes = bytesOf(`id: 1\ndata:\n\n${values.map(event).join("")}`)
    await using server = await serve(async ({ body }, response) => {
      const at = JSON.parse(body).id
      eventStream(response).write(bytes.subarray(0, at))
      await new Promise((resume) => setImmediate(resume))
      response.end(bytes.subarray(at))
    })
    await using opened = await openChannel(http(server.url))
    const splits = Array.from({ length: bytes.length - 1 }, (_, at) => at + 1)
    const outcomes = await Promise.all(splits.map((at) => opened.send(request(at))))
    const whole = { _tag: "Ended", status: 200, messages: 2, streamed: true }
    for (const outcome of outcomes) expect(outcome).toMatchObject(whole)
    for (const [index, message] of opened.recorder.messages.entries()) {
      const { exchange } = opened.recorder.origins[index]!
      const before = opened.recorder.origins.slice(0, index)
      const nth = before.filter((origin) => origin.exchange === exchange).length
      expect(message).toEqual(values[nth])
    }
  })

  it("V25-HTTP-20 skips empty data and events of other types", async () => {
    await using server = await serve((_, response) => {
      eventStream(response)
      response.end(`id: 1\ndata:\n\nevent: ping\ndata: now\n\n${event({ id: 1 })}`)
    })
    await using opened = await openChannel(http(server.url))
    expect(await opened.send(request(1))).toMatchObject({ _tag: "Ended", messages: 1 })
    expect(opened.recorder).toMatchObject({ messages: [{ id: 1 }], errors: [] })
  })

  it("ends the exchange at data that is broken JSON, and at an event past the limit", async () => {
    const closed = [deferred(), deferred()]
    const data = ["{not json", JSON.stringify({ text: "x".repeat(2000) })]
    await using server = await serve(({ body }, response) => {
      const { id } = JSON.parse(body)
      eventStream(response).write(`${event({ first: id })}data: ${data[id]}\n\n${event({})}`)
      response.on("close", closed[id]!.resolve)
    })
    await using opened = await openChannel(http(server.url, { maxMessageBytes: 1000 }))
    const outcomes = [await opened.send(request(0)), await opened.send(request(1))]
    expect(outcomes).toMatchObject([
      { _tag: "Ended", messages: 1, streamed: true },
      { _tag: "Ended", messages: 1, streamed: true },
    ])
    await Promise.all(closed.map(({ promise }) => promise))
    expect(opened.recorder.messages).toEqual([{ first: 0 }, { first: 1 }])
    expect(opened.recorder.errors).toMatchObject([
      { code: "invalid-message" },
      { code: "message-too-large" },
    ])
  })

  it("V25-HTTP-25 notes an event that the stream ends inside of, with its size and its beginning", async () => {
    const bodies = [
      "data: {}",
      'data: {"id":1}\n',
      `${event({ id: 2 })}data: {}`,
      ": working\n\n: still",
    ]
    await using server = await serve(({ body }, response) => {
      eventStream(response).end(bodies[JSON.parse(body).id])
    })
    await using opened = await openChannel(http(server.url))
    for (const id of bodies.keys()) await opened.send(request(id))
    expect(opened.recorder.messages).toEqual([{ id: 2 }])
    // Not where the answer was there before, nor for a comment.
    expect(opened.recorder.notes).toEqual([
      { code: "truncated-line", detail: "8 bytes: data: {}" },
      { code: "truncated-line", detail: '8 bytes: {"id":1}' },
    ])
  })

  it("V25-RPC-10 data that was never meant to be JSON is a note, and the answer still comes", async () => {
    await using server = await serve((_, response) => {
      eventStream(response).end(`data: working on it\n\n${event({ first: 1 })}`)
    })
    await using opened = await openChannel(http(server.url))
    expect(await opened.send(request(0))).toMatchObject({ _tag: "Ended", messages: 1 })
    expect(opened.recorder.messages).toEqual([{ first: 1 }])
    expect(opened.recorder.errors).toEqual([])
    expect(opened.recorder.notes).toMatchObject([
      { code: "invalid-message", detail: 'an event that is no JSON: "working on it"' },
    ])
  })
})
