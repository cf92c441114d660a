import { isJsonObject, type JsonObject } from "@entente/protocol"
import type { LogBook } from "../log-book.js"
import { JsonSpan, parsed } from "../text/json-span.js"
import type { LogLines } from "../text/log-lines.js"
import { timeIn, timeOf } from "../text/log-time.js"
import { isMessage } from "./is-message.js"
import { markBeside, markIn, type Mark } from "./mark.js"
import { certainSide, firstOf, opposite, type Direction } from "./sides.js"

/** Characters of one message; the largest that our own client accepts has as many bytes. */
const longest = 16 * 1024 * 1024

/** Brackets of one record that may turn out to begin no value: what stands before a message may have some. */
const mostTries = 4

/** Objects inside objects that are looked into for a message. */
const deepest = 3

/** A message is known by this member; inside a text of JSON its quotes are escaped. */
const member = /\\?"jsonrpc\\?"/

/** A line of a value that was printed over several: indented, or a bracket or a member alone. */
const isContinued = (line: string): boolean => /^[\s}\]"]/.test(line) && line.trim() !== ""

/** A value that stands in a line, and where. */
interface Piece {
  readonly value: unknown
  readonly from: number
  readonly end: number
}

/** A line, and the lines after it that belong to the value it begins. */
interface Record {
  readonly text: string
  /** Whether the last value was still open where the next record begins. */
  readonly broken: boolean
}

/**
 * Reads JSON-RPC messages out of lines, with whatever stands before and after them: on one line or over
 * many, bare, or inside the objects that proxies and loggers write. What begins as a message and cannot be
 * read to its end is kept as a note.
 */
export class Messages {
  readonly #book: LogBook
  readonly #lines: LogLines
  /** Whether `sent` in this log is what the client sent; taken to be so until a message shows it. */
  #clientSide: boolean | undefined
  #tries = 0
  #text = ""

  constructor(book: LogBook, lines: LogLines) {
    this.#book = book
    this.#lines = lines
  }

  /**
   * Takes down the messages in a line, and says whether there was any. `direction` is given where the
   * format of the log says it; otherwise marks and the messages themselves tell.
   */
  take(line: string, direction?: Direction): boolean {
    const { text, broken } = this.#record(line)
    this.#text = text
    this.#tries = mostTries
    if (!member.test(text)) return false
    if (text.length > longest) {
      this.#book.problem("too-long", `A line of more than ${longest} characters was not read.`)
      return true
    }
    let from = 0
    for (let found = this.#next(text, from); found !== undefined; found = this.#next(text, from)) {
      this.#one(
        found.value,
        text.slice(from, found.from),
        text.slice(found.from, found.end),
        direction,
      )
      from = found.end
    }
    const rest = text.slice(from)
    if (from > 0 && !member.test(rest)) return true
    this.#unread(rest, broken, direction)
    return true
  }

  /** The line that was looked at last, with the lines after it that belonged to it. */
  get text(): string {
    return this.#text
  }

  /** Skips the rest of an object that is printed over several lines, and is no message. */
  skipObject(line: string): void {
    if (!/[{[]\s*$/.test(line)) return
    for (let next = this.#lines.peek(); next !== undefined; next = this.#lines.peek()) {
      if (!isContinued(next)) return
      this.#lines.next()
      if (next.startsWith("}")) return
    }
  }

  /** The line, with those that go on with it where it ends inside an object. */
  #record(line: string): Record {
    if (!/[{[]\s*$/.test(line) && !member.test(line)) return { text: line, broken: false }
    const start = line.search(/[{[](?=\s*(?:["{[\]}]|$))/)
    if (start < 0) return { text: line, broken: false }
    const span = new JsonSpan()
    if (span.end(line, start) >= 0) return { text: line, broken: false }
    const parts = [line]
    let size = line.length
    for (let next = this.#lines.peek(); next !== undefined; next = this.#lines.peek()) {
      if (!isContinued(next) || size > longest) break
      parts.push(next)
      size += next.length
      this.#lines.next()
      if (span.end(`\n${next}`, 0) >= 0) return { text: parts.join("\n"), broken: false }
    }
    return { text: parts.join("\n"), broken: true }
  }

  /** The next value in a text that is a message, or holds one. */
  #next(text: string, from: number): Piece | undefined {
    const opening = /[{[]/g
    opening.lastIndex = from
    while (this.#tries > 0) {
      const at = opening.exec(text)?.index
      if (at === undefined) return undefined
      // `[info]` and the like are no arrays.
      if (text[at] === "[" && !/^\[\s*\{/.test(text.slice(at, at + 20))) continue
      const end = new JsonSpan().end(text, at)
      const piece = end < 0 ? "" : text.slice(at, end)
      if (end >= 0 && !member.test(piece)) {
        opening.lastIndex = end
        continue
      }
      const value = parsed(piece)
      if (isMessage(value) || isJsonObject(value)) return { value, from: at, end }
      this.#tries--
    }
    return undefined
  }

  #one(value: unknown, prefix: string, text: string, direction: Direction | undefined): void {
    if (isMessage(value)) return this.#message(value, text, direction, () => markIn(prefix))
    if (isJsonObject(value)) this.#wrapped(value, direction, markIn(prefix))
  }

  #wrapped(object: JsonObject, direction: Direction | undefined, outer: Mark | undefined): void {
    this.#book.at(timeBeside(object))
    if (this.#within(object, direction, outer, deepest)) return
    this.#unread(JSON.stringify(object), false, direction)
  }

  /** Messages in the members of an object, as values or as texts; says whether there was one. */
  #within(
    object: JsonObject,
    direction: Direction | undefined,
    outer: Mark | undefined,
    depth: number,
  ): boolean {
    const beside = markBeside(object) ?? outer
    let found = false
    for (const inner of Object.values(object)) {
      if (isMessage(inner)) {
        this.#message(inner, JSON.stringify(inner), direction, () => beside)
        found = true
      } else if (isJsonObject(inner) && depth > 0) {
        found = this.#within(inner, direction, beside, depth - 1) || found
      } else if (typeof inner === "string" && inner.includes('"jsonrpc"')) {
        found = this.#inText(inner, direction, beside) || found
      }
    }
    return found
  }

  #inText(text: string, direction: Direction | undefined, beside: Mark | undefined): boolean {
    const at = text.search(/[{[]\s*["{]/)
    const end = at < 0 ? -1 : new JsonSpan().end(text, at)
    const value = end < 0 ? undefined : parsed(text.slice(at, end))
    if (!isMessage(value)) return false
    const mark = () => markIn(text.slice(0, at)) ?? beside
    this.#message(value, text.slice(at, end), direction, mark)
    return true
  }

  #message(
    value: unknown,
    text: string,
    direction: Direction | undefined,
    mark: () => Mark | undefined,
  ): void {
    this.#book.message(value, text, direction ?? this.#directionOf(value, mark()))
  }

  #directionOf(value: unknown, mark: Mark | undefined): Direction {
    if (mark === undefined) return this.#book.sides.of(value)
    if (mark.names) return mark.direction
    const certain = certainSide(firstOf(value))
    if (this.#clientSide === undefined && certain !== undefined) {
      this.#clientSide = mark.direction === certain
      if (!this.#clientSide) {
        const what =
          "What it calls sent was sent by the server: it is the log of a server, and was read so."
        this.#book.problem("server-side", what)
      }
    }
    return this.#clientSide === false ? opposite(mark.direction) : mark.direction
  }

  /** Something that has the name of a message and is none that can be read. */
  #unread(text: string, broken: boolean, direction: Direction | undefined): void {
    const at = text.search(/\{\s*\\?"/)
    const missing =
      /\[?(\d{1,12}) (?:more )?(?:chars|characters|bytes) (?:truncated|omitted|more)/.exec(text)
    if (at < 0) return
    const isCut =
      broken ||
      missing !== null ||
      /(?:\.{3}|…|\[truncated\])\s*$/.test(text) ||
      new JsonSpan().end(text, at) < 0
    if (!isCut) {
      this.#book.problem("not-json", "A line looks like a message, but what it holds is not JSON.")
      return
    }
    const head = text.slice(at, at + 2_000)
    const id = /\\?"id\\?"\s*:\s*(\d{1,15}|\\?"[^"\\]{1,60})/
      .exec(head)?.[1]
      ?.replaceAll(/[\\"]/g, "")
    const method = /\\?"method\\?"\s*:\s*\\?"([\w/$.-]{1,80})/.exec(head)?.[1]
    const way = direction ?? (method === undefined ? "in" : "out")
    const known = id === undefined ? undefined : /^\d+$/.test(id) ? Number(id) : id
    const asked = this.#book.sides.methodOf(known, opposite(way))
    const what = method ?? (asked === undefined ? "an answer" : `the answer to ${asked}`)
    const named = id === undefined ? "" : `, id ${id}`
    const count = missing === null ? "" : `; ${missing[1]} characters are missing`
    this.#book.tell({ type: "note", code: "log-cut", detail: `${way}: ${what}${named}${count}` })
    this.#book.counted(1)
    this.#book.problem(
      "log-cut",
      `The log holds only a part of a message (${way}: ${what}${named}${count}).`,
    )
  }
}

/** The time beside a message in a JSON line. */
const timeBeside = (object: JsonObject): number | undefined => {
  for (const name of ["timestamp", "time", "ts", "at", "date", "@timestamp", "datetime"]) {
    const time = timeOf(object[name])
    if (time !== undefined) return time
  }
  return undefined
}

/** Takes the time that a line begins with. */
export const takeTime = (book: LogBook, line: string): void => {
  const brace = line.indexOf("{")
  book.at(timeIn(brace < 0 ? line : line.slice(0, brace)))
}
