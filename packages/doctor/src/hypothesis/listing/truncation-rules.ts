import type { Case } from "../../case.js"
import type { Call } from "../../conversation/frame.js"
import type { Evidence } from "../../diagnosis.js"
import { evidence } from "../../evidence.js"
import { askedShown, failedPage } from "./listing.js"
import { examineAgain, type Finding, type Rule } from "../rule.js"

/** Sizes at which buffers end, and whose they are. */
const buffers: ReadonlyMap<number, string> = new Map([
  [1_024, "a small buffer"],
  [2_048, "a small buffer"],
  [4_096, "a page, or the buffer of stdio in C"],
  [8_192, "the buffer of most runtimes and of nginx"],
  [16_384, "the buffer of a stream in Node.js, or a TLS record"],
  [32_768, "a buffer of 32 KiB"],
  [65_536, "a pipe"],
  [131_072, "a buffer of 128 KiB"],
  [1_048_576, "a limit of 1 MiB"],
])

interface Cut {
  readonly evidence: ReadonlyArray<Evidence>
  /** Bytes that came, where that is known. */
  readonly bytes: number | undefined
  /** Whether what came shows that it was cut, and is not simply wrong. */
  readonly certain: boolean
}

const counted = (text: string): number | undefined => {
  const digits = /(\d+) bytes/.exec(text)?.[1]
  return digits === undefined ? undefined : Number(digits)
}

/** A last line, or event, that has no end. */
const unfinished = (given: Case, call: Call): Cut | undefined => {
  const note = given.main.conversation.notes.find(
    ({ code, index }) => code === "truncated-line" && index > call.index,
  )
  if (note === undefined) return undefined
  const bytes = counted(note.detail)
  const marked = bytes === undefined ? undefined : `${bytes} bytes`
  return { bytes, certain: true, evidence: [evidence(given.trace, note.index, marked)] }
}

/** What stands in our own words of an answer that is no JSON: its beginning. */
const sampleIn = (text: string): string | undefined => {
  const quoted = /is not: ("(?:[^"\\]|\\.)*")/.exec(text)?.[1]
  if (quoted === undefined) return undefined
  try {
    const sample: unknown = JSON.parse(quoted)
    return typeof sample === "string" ? sample : undefined
  } catch {
    return undefined
  }
}

const endsTooEarly = (sample: string): boolean => {
  try {
    JSON.parse(sample)
    return false
  } catch (error) {
    return error instanceof Error && /end of|unterminated/i.test(error.message)
  }
}

/** A body, or an event, that begins as JSON and is none. */
const broken = (given: Case, { reply, http }: Call): Cut | undefined => {
  if (reply?.kind !== "unreadable" || reply.code !== "invalid-message") return undefined
  const sample = sampleIn(reply.text)
  if (sample === undefined || !/^\s*[[{]/.test(sample)) return undefined
  const length = http?.answered?.headers["content-length"]
  const bytes = length !== undefined && /^\d{1,12}$/.test(length) ? Number(length) : undefined
  return {
    bytes,
    certain: endsTooEarly(sample),
    evidence: [
      ...(http?.answered === undefined || length === undefined
        ? []
        : [evidence(given.trace, http.answered.index, `content-length: ${length}`)]),
      evidence(given.trace, reply.index, "is announced as JSON, but is not"),
    ],
  }
}

/** A body that broke off before its end. */
const brokenOff = (given: Case, { ended, http, reply }: Call): Cut | undefined => {
  if (ended?.tag !== "Failed" || reply !== undefined || http?.answered === undefined)
    return undefined
  const length = http.answered.headers["content-length"]
  return {
    bytes: undefined,
    certain: true,
    evidence: [
      evidence(given.trace, http.answered.index, length && `content-length: ${length}`),
      evidence(given.trace, ended.index, '"_tag":"Failed"'),
    ],
  }
}

/** A line on stdout that begins as the answer and is no JSON. */
const brokenLine = (given: Case, call: Call): Cut | undefined => {
  if (call.reply !== undefined) return undefined
  const note = given.main.conversation.notes.find(
    ({ code, detail, index }) =>
      code === "stdout-noise" &&
      index > call.index &&
      /^\s*\{\s*"(?:jsonrpc|id|result)"/.test(detail),
  )
  return (
    note && {
      bytes: undefined,
      certain: false,
      evidence: [evidence(given.trace, note.index, "stdout-noise")],
    }
  )
}

/** Family 2: the answer does not come to its end. */
export const listingTruncationRules: ReadonlyArray<Rule> = [
  {
    code: "answer-truncated",
    family: 2,
    stage: "list",
    weight: "fails",
    title: "The answer to tools/list is cut off",
    expected:
      "The whole message: over stdio one line with its line feed, over HTTP the whole body.",
    fix: {
      server:
        "Write everything before you go on: wait for the stream to drain, and do not end the process right after a write. Flush stdout after each message.",
      proxy: "Raise the size of your buffers and the limit for bodies; do not end an answer early.",
      client:
        "Nothing: what is missing was never sent. Fewer tools may help, if they can be switched off.",
    },
    next: examineAgain(),
    supersedes: [
      "list-unanswered",
      "list-answered-with-nothing",
      "list-connection-cut",
      "later-page-unanswered",
    ],
    find: (given): Finding | undefined => {
      const { call } = failedPage(given.main) ?? {}
      if (call === undefined) return undefined
      const cut =
        unfinished(given, call) ??
        broken(given, call) ??
        brokenOff(given, call) ??
        brokenLine(given, call)
      if (cut === undefined) return undefined
      const { bytes, certain } = cut
      const whose = bytes === undefined ? undefined : buffers.get(bytes)
      const size = bytes === undefined ? "" : ` after ${bytes.toLocaleString("en-US")} bytes`
      const hint = whose === undefined ? "" : `, which is the size of ${whose}`
      return {
        confidence: !certain ? 0.75 : whose === undefined ? 0.94 : 0.97,
        title: certain
          ? `The answer to tools/list is cut off${size}${hint}`
          : "The answer to tools/list begins as JSON and is none: it is cut off, or broken",
        evidence: [askedShown(given, call), ...cut.evidence],
      }
    },
  },
]
