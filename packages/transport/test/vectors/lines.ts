/** What is read from a stream of lines. */
export interface LineVector {
  readonly name: string
  readonly bytes: Uint8Array
  /** JSON values, in order. */
  readonly messages: ReadonlyArray<unknown>
  /** Codes of notes with their details, in order: `code: detail`. */
  readonly notes?: ReadonlyArray<string>
  /** Codes of errors, in order; `closed` before the code of the one that ends the channel. */
  readonly errors?: ReadonlyArray<string>
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text)
const raw = (...parts: ReadonlyArray<string | ReadonlyArray<number>>): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => [...(typeof part === "string" ? utf8(part) : part)]))

/** The limit under which the vectors are read. */
export const lineLimit = 120

const first = '{"jsonrpc":"2.0","id":1,"result":{}}'
const second = '{"jsonrpc":"2.0","method":"n"}'
const one = { jsonrpc: "2.0", id: 1, result: {} }
const two = { jsonrpc: "2.0", method: "n" }

/** Streams of lines and what they mean. Each one is cut at every byte by its test. */
export const lineVectors: ReadonlyArray<LineVector> = [
  { name: "nothing", bytes: utf8(""), messages: [] },
  { name: "two lines", bytes: utf8(`${first}\n${second}\n`), messages: [one, two] },
  { name: "CRLF", bytes: utf8(`${first}\r\n${second}\r\n`), messages: [one, two] },
  { name: "LF and CRLF mixed", bytes: utf8(`${first}\n\r\n${second}\r\n\n`), messages: [one, two] },
  { name: "blank lines", bytes: utf8(`\n\r\n \t\n${first}\n\n`), messages: [one] },
  {
    name: "CR inside a message is white space, and ends no line",
    bytes: utf8('{\r"id":1\r}\n'),
    messages: [{ id: 1 }],
  },
  {
    name: "CR alone between messages ends none of them",
    bytes: utf8('{"id":1}\r{"id":2}\r'),
    messages: [],
    notes: ['truncated-line: 18 bytes: {"id":1}\r{"id":2}'],
  },
  { name: "a byte order mark", bytes: utf8(`\uFEFF${first}\n`), messages: [one] },
  {
    name: "a byte order mark of its own",
    bytes: utf8(`\uFEFF\n${first}\n`),
    messages: [one],
  },
  {
    name: "C044 characters of two, three and four bytes",
    bytes: utf8('{"s":"é—🙂"}\n'),
    messages: [{ s: "é—🙂" }],
  },
  {
    name: "line separators of Unicode are no line ends",
    bytes: utf8('{"s":"a\u2028b\u2029c\u0085d"}\n'),
    messages: [{ s: "a\u2028b\u2029c\u0085d" }],
  },
  { name: "an escaped line feed", bytes: utf8('{"s":"a\\nb"}\n'), messages: [{ s: "a\nb" }] },
  {
    name: "white space around a message",
    bytes: utf8(` \t${first} \n`),
    messages: [one],
  },
  { name: "an array", bytes: utf8('[{"id":1},{"id":2}]\n'), messages: [[{ id: 1 }, { id: 2 }]] },
  {
    name: "C046 debug output between messages",
    bytes: utf8(`calling backend\nstatus=200\nheaders {\n  'x': 1\n}\n${first}\n`),
    messages: [one],
    notes: ["calling backend", "status=200", "headers {", "  'x': 1", "}"].map(
      (line) => `stdout-noise: ${line}`,
    ),
  },
  {
    name: "C046 scalars are no messages",
    bytes: utf8(`42\n"text"\nnull\ntrue\n-1.5e3\n${first}\n`),
    messages: [one],
    notes: ["42", '"text"', "null", "true", "-1.5e3"].map((line) => `stdout-noise: ${line}`),
  },
  {
    name: "a message spread over lines is noise, line by line",
    bytes: utf8(`{\n  "id": 1\n}\n${first}\n`),
    messages: [one],
    notes: ["stdout-noise: {", 'stdout-noise:   "id": 1', "stdout-noise: }"],
  },
  {
    name: "two messages on one line are none",
    bytes: utf8(`${second}${second}\n${first}\n`),
    messages: [one],
    notes: [`stdout-noise: ${second}${second}`],
  },
  {
    name: "control characters and escapes",
    bytes: utf8(`\u001b[32mready\u001b[0m\n\0\n${first}\n`),
    messages: [one],
    notes: ["stdout-noise: \u001b[32mready\u001b[0m", "stdout-noise: \0"],
  },
  {
    name: "C044 a byte that is no UTF-8 in a message",
    bytes: raw('{"s":"a', [0xff], 'b"}\n', first, "\n"),
    messages: [{ s: "a\uFFFDb" }, one],
    notes: ['invalid-utf8: {"s":"a\uFFFDb"}'],
  },
  {
    name: "C044 half a character in a message",
    bytes: raw('{"s":"', [0xf0, 0x9f, 0x99], '"}\n'),
    messages: [{ s: "\uFFFD" }],
    notes: ['invalid-utf8: {"s":"\uFFFD"}'],
  },
  {
    name: "C044 a character that is cut by a line end damages no other line",
    bytes: raw("x", [0xf0, 0x9f], "\n", first, "\n"),
    messages: [one],
    notes: ["stdout-noise: x\uFFFD"],
  },
  {
    name: "a replacement character that was meant",
    bytes: utf8('{"s":"\uFFFD"}\n'),
    messages: [{ s: "\uFFFD" }],
  },
  {
    name: "C067 a last line that was cut off",
    bytes: utf8(`${first}\n{"id"`),
    messages: [one],
    notes: ['truncated-line: 5 bytes: {"id"'],
  },
  {
    name: "a last line that is whole but for its end",
    bytes: utf8(`${first}\n${second}`),
    messages: [one, two],
    notes: [`truncated-line: 30 bytes: ${second}`],
  },
  {
    name: "a last line that is blank",
    bytes: utf8(`${first}\n  \r`),
    messages: [one],
  },
  {
    name: "a line as long as the limit",
    bytes: utf8(`{"s":"${"x".repeat(lineLimit - 8)}"}\n${first}\n`),
    messages: [{ s: "x".repeat(lineLimit - 8) }, one],
  },
  {
    name: "a line past the limit, and the stream goes on",
    bytes: utf8(`{"s":"${"x".repeat(lineLimit)}"}\n${first}\n`),
    messages: [one],
    errors: ["message-too-large"],
  },
  {
    name: "a line far past the limit that never ends",
    bytes: utf8(`${first}\n${"x".repeat(5 * lineLimit)}`),
    messages: [one],
    errors: ["message-too-large"],
  },
  {
    name: "Content-Length framing, without any line end after the header",
    bytes: utf8(`Content-Length: ${first.length}\r\n\r\n${first}`),
    messages: [],
    notes: ["content-length-framing: Content-Length: 36"],
    errors: ["closed unexpected-content"],
  },
  {
    name: "Content-Length framing with both headers",
    bytes: utf8(
      `\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\nContent-Length: 36\r\n\r\n${first}`,
    ),
    messages: [],
    notes: ["content-length-framing: Content-Type: application/vscode-jsonrpc; charset=utf-8"],
    errors: ["closed unexpected-content"],
  },
  {
    name: "a Content-Length in a log between messages is a note",
    bytes: utf8(`${first}\nHTTP/1.1 200 OK\ncontent-length: 12\n\n${second}\n`),
    messages: [one, two],
    notes: ["stdout-noise: HTTP/1.1 200 OK", "content-length-framing: content-length: 12"],
  },
]
