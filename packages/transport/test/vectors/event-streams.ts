import type { StreamEvent } from "../../src/framing/event-stream.js"

/** A stream of server-sent events and what it means. */
export interface EventStreamVector {
  readonly name: string
  readonly bytes: Uint8Array
  readonly events?: ReadonlyArray<StreamEvent>
  /** The last event ids committed, in order. */
  readonly ids?: ReadonlyArray<string>
  readonly retries?: ReadonlyArray<number>
  /** The event is larger than the limit, and the stream ends there. */
  readonly oversized?: number
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const raw = (...parts: ReadonlyArray<string | ReadonlyArray<number>>): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => [...(typeof part === "string" ? utf8(part) : part)]))

/** The limit under which the vectors are read. */
export const eventLimit = 200

const message = (data: string, id?: string): StreamEvent => ({ type: "message", data, id })

const response = '{"jsonrpc":"2.0","id":1,"result":{}}'

/** The same stream with each kind of line end: exactly one message, whatever it is. */
const lineEnds: ReadonlyArray<EventStreamVector> = [
  ["LF", "\n", "\n"],
  ["CRLF", "\r\n", "\r\n"],
  ["CR", "\r", "\r"],
  ["CRLF, then LF", "\r\n", "\n"],
  ["LF, then CRLF", "\n", "\r\n"],
  ["LF, then CR", "\n", "\r"],
  ["CR, then CRLF", "\r", "\r\n"],
].map(([name = "", end = "", blank = ""]) => ({
  name: `C038 one message, its lines ended by ${name}`,
  bytes: utf8(`event: message${end}data: ${response}${end}${blank}`),
  events: [message(response)],
}))

/** Streams of server-sent events. Each one is cut at every byte by its test. */
export const eventStreamVectors: ReadonlyArray<EventStreamVector> = [
  { name: "nothing", bytes: utf8("") },
  ...lineEnds,
  {
    name: "C038 every kind of line end in one stream",
    bytes: utf8("data: a\r\rdata: b\n\ndata: c\r\n\r\ndata: d\n\r\ndata: e\r\n\n"),
    events: ["a", "b", "c", "d", "e"].map((data) => message(data)),
  },
  {
    name: "C038 CR CR LF are two line ends",
    bytes: utf8("data: a\r\r\ndata: b\r\r\n"),
    events: [message("a"), message("b")],
  },
  {
    name: "blank lines without an event between them",
    bytes: utf8("\n\r\n\r\rdata: a\n\n\n\ndata: b\n\n"),
    events: [message("a"), message("b")],
  },
  {
    name: "C040 JSON over several data lines, with a character of three bytes",
    bytes: utf8('data: {\ndata: "jsonrpc":"2.0","id":1,\ndata: "result":{"t":"读"}}\n\n'),
    events: [message('{\n"jsonrpc":"2.0","id":1,\n"result":{"t":"读"}}')],
  },
  {
    name: "characters of one to four bytes, everywhere",
    bytes: utf8("id: é—🙂\nevent: ü読𝄞\ndata: aé—🙂\n\n"),
    events: [{ type: "ü読𝄞", data: "aé—🙂", id: "é—🙂" }],
    ids: ["é—🙂"],
  },
  {
    name: "bytes that are no UTF-8",
    bytes: raw("data: a", [0xff], "b", [0xf0, 0x9f], "\n\ndata: c\n\n"),
    events: [message("a\uFFFDb\uFFFD"), message("c")],
  },
  {
    name: "C041 V25-HTTP-20 an id with empty data, a comment, a ping and a message",
    bytes: utf8(
      `id: 42\ndata: \n\n: keepalive\n\nevent: ping\ndata: 2025-01-01T00:00:00Z\n\nevent: message\ndata: ${response}\n\n`,
    ),
    events: [
      message("", "42"),
      { type: "ping", data: "2025-01-01T00:00:00Z", id: undefined },
      message(response),
    ],
    ids: ["42"],
  },
  {
    name: "V25-HTTP-20 an id without any data line",
    bytes: utf8("id: p1\n\ndata: x\n\nid: p2\r\n\r\n"),
    events: [message("x")],
    ids: ["p1", "p2"],
  },
  {
    name: "V25-HTTP-17 ids with spaces, colons, slashes and quotes",
    bytes: utf8('id: a/1:2 3\ndata: a\n\nid:  two spaces \ndata: b\n\nid:"q"\n\n'),
    events: [message("a", "a/1:2 3"), message("b", " two spaces ")],
    ids: ["a/1:2 3", " two spaces ", '"q"'],
  },
  {
    name: "V25-HTTP-25 an id with NUL is ignored, and leaves the one before it",
    bytes: utf8("id: a\0b\ndata: x\n\nid: 1\nid: \0\ndata: y\n\n"),
    events: [message("x"), message("y", "1")],
    ids: ["1"],
  },
  {
    name: "an empty id takes the id back",
    bytes: utf8("id: 1\n\nid:\ndata: x\n\nid\n\n"),
    events: [message("x", "")],
    ids: ["1", "", ""],
  },
  {
    name: "the last id of a block counts",
    bytes: utf8("id: 1\ndata: x\nid: 2\n\n"),
    events: [message("x", "2")],
    ids: ["2"],
  },
  {
    name: "a long id",
    bytes: utf8(`id: ${"7".repeat(180)}\ndata: x\n\n`),
    events: [message("x", "7".repeat(180))],
    ids: ["7".repeat(180)],
  },
  {
    name: "V25-HTTP-22 a retry in a block of its own",
    bytes: utf8("retry: 500\n\ndata: x\n\n"),
    events: [message("x")],
    retries: [500],
  },
  {
    name: "V25-HTTP-22 a retry among other fields, and more than one",
    bytes: utf8("id: 1\nretry:0\nretry: 3000\ndata: x\n\n"),
    events: [message("x", "1")],
    ids: ["1"],
    retries: [0, 3000],
  },
  {
    name: "V25-HTTP-25 retries that are no number",
    bytes: utf8(
      "retry: soon\nretry: -1\nretry: 1.5\nretry:\nretry\nretry:  7\nretry: 7 \nretry: 1e3\nretry: ٣\n\n",
    ),
  },
  {
    name: "V25-HTTP-25 a retry counts at the end of its line, an id only at its blank line",
    bytes: utf8("retry: 10\nid: 1\ndata: x\n"),
    retries: [10],
  },
  {
    name: "V25-HTTP-25 an incomplete block at the end",
    bytes: utf8("id: 1\ndata: x\n\nid: 2\ndata: y\n"),
    events: [message("x", "1")],
    ids: ["1"],
  },
  {
    name: "V25-HTTP-25 an incomplete line at the end",
    bytes: utf8("data: x\n\ndata: y"),
    events: [message("x")],
  },
  {
    name: "V26-HTTP-06 comments of every kind",
    bytes: utf8(":\n: text\n:data: no\n::\r\n:\r\r: — 🙂\n\ndata: x\n: within\ndata: y\n\n"),
    events: [message("x\ny")],
  },
  {
    name: "a comment longer than any event may be",
    bytes: utf8(`: ${"c".repeat(3 * eventLimit)}\ndata: x\n\n`),
    events: [message("x")],
  },
  {
    name: "a byte order mark",
    bytes: utf8("\uFEFFdata: x\n\n"),
    events: [message("x")],
  },
  {
    name: "a byte order mark before a comment, and one that is none",
    bytes: utf8("\uFEFF: hello\n\n\uFEFFdata: x\n\ndata: \uFEFFy\n\n"),
    events: [message("\uFEFFy")],
  },
  {
    name: "a name that nothing follows, or no space, or two",
    bytes: utf8("data\n\ndata:x\n\ndata:  x\n\ndata: x \n\n"),
    events: ["", "x", " x", "x "].map((data) => message(data)),
  },
  {
    name: "empty data lines count as lines",
    bytes: utf8("data\ndata\n\ndata:\ndata: x\ndata:\n\n"),
    events: [message("\n"), message("\nx\n")],
  },
  {
    name: "a tab is no space",
    bytes: utf8("data:\tx\n\ndata :y\n\n"),
    events: [message("\tx")],
  },
  {
    name: "types: the last one counts, an empty one is message, and none is kept for the next event",
    bytes: utf8(
      "event: a\nevent: b\ndata: 1\n\ndata: 2\n\nevent: a\nevent:\ndata: 3\n\nevent: x\n\ndata: 4\n\n",
    ),
    events: [{ type: "b", data: "1", id: undefined }, message("2"), message("3"), message("4")],
  },
  {
    name: "unknown fields, and known ones in other case",
    bytes: utf8("foo: bar\nDATA: x\nData: x\ndat: x\ndataa: x\n data: x\nID: 1\n\ndata: y\n\n"),
    events: [message("y")],
  },
  {
    name: "the endpoint event of the transport of 2024-11-05",
    bytes: utf8("event: endpoint\r\ndata: /messages?session=1\r\n\r\n"),
    events: [{ type: "endpoint", data: "/messages?session=1", id: undefined }],
  },
  {
    name: "NUL and escapes in data",
    bytes: utf8("data: a\0b\u001b[0m\u2028c\n\n"),
    events: [message("a\0b\u001b[0m\u2028c")],
  },
  {
    name: "an event as large as the limit, over two lines",
    bytes: utf8(`data: ${"x".repeat(eventLimit / 2 - 1)}\ndata: ${"y".repeat(eventLimit / 2)}\n\n`),
    events: [message(`${"x".repeat(eventLimit / 2 - 1)}\n${"y".repeat(eventLimit / 2)}`)],
  },
  {
    name: "an event past the limit",
    bytes: utf8(`id: 1\n\ndata: ${"é".repeat(eventLimit / 2)}x\n\ndata: later\n\nid: 2\n\n`),
    ids: ["1"],
    oversized: 1,
  },
]
