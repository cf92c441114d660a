import { isJsonObject } from "@entente/protocol"
import type { Act, Case } from "../../case.js"
import { callsOf } from "../../conversation/conversation.js"
import type { Call, Frame, HttpExchange } from "../../conversation/frame.js"
import type { Evidence } from "../../diagnosis.js"
import { evidence, member } from "../../evidence.js"
import { askedShown, span } from "./listing.js"
import { examineAgain, type Finding, type Rule } from "../rule.js"

/** Milliseconds that a stream is open with nothing on it before that is worth a word. */
const heldFor = 1_000

/** Messages count as come at once where they are this much closer to each other than to the head. */
const atOnce = 0.1

interface OpenStream {
  readonly call: Call
  readonly http: HttpExchange
  readonly head: NonNullable<HttpExchange["answered"]>
  readonly messages: ReadonlyArray<Frame>
}

const streamOf = (call: Call): OpenStream | undefined => {
  const { http } = call
  const head = http?.answered
  if (http === undefined || head === undefined) return undefined
  return /^text\/event-stream/i.test(head.headers["content-type"] ?? "")
    ? { call, http, head, messages: http.messages }
    : undefined
}

const streamsOf = (act: Act): ReadonlyArray<OpenStream> =>
  act.conversation.calls.flatMap((call) => streamOf(call) ?? [])

/** Whether all that a stream brought came together, long after it began. */
const isHeldBack = ({ head, messages }: OpenStream): boolean => {
  const [first, last] = [messages[0], messages.at(-1)]
  if (first === undefined || last === undefined) return false
  const wait = first.at - head.at
  return wait >= heldFor && last.at - first.at <= wait * atOnce
}

/** Headers that say something of who may hold a stream back, in the order of how much. */
const telling = ["via", "server", "content-encoding", "x-accel-buffering", "cf-ray", "x-cache"]

const headersShown = ({ trace }: Case, { head }: OpenStream): ReadonlyArray<Evidence> => {
  const there = telling.filter((name) => head.headers[name] !== undefined)
  return there.length === 0
    ? [evidence(trace, head.index, `HTTP ${head.status}`)]
    : there.map((name) => evidence(trace, head.index, `${name}: ${head.headers[name]}`))
}

/** The headers that bear on it, in words: also the one that is missing. */
const inWords = ({ head: { headers } }: OpenStream): string => {
  const there = telling.flatMap((name) =>
    headers[name] === undefined ? [] : [`${name}: ${headers[name]}`],
  )
  const missing = headers["x-accel-buffering"] === undefined ? ["no x-accel-buffering"] : []
  return [...there, ...missing].join(", ")
}

/** What a message is known by: its method, or the id that it answers. */
const namedBy = ({ message }: Frame): string | undefined => {
  if (!isJsonObject(message)) return undefined
  const { method, id } = message
  return typeof method === "string" ? member("method", method) : member("id", id)
}

/** Something that compresses, or says that it stands between. */
const hasMiddleman = ({ head: { headers } }: OpenStream): boolean =>
  ["via", "content-encoding", "cf-ray", "x-cache"].some((name) => headers[name] !== undefined) ||
  /nginx|openresty|cloudflare|envoy|haproxy|apache/i.test(headers["server"] ?? "")

const fix = {
  server:
    "Send the header X-Accel-Buffering: no with every event stream, and flush after each event. Or answer tools/list with application/json.",
  proxy:
    "Switch buffering and compression off for text/event-stream (nginx: proxy_buffering off; gzip off; proxy_http_version 1.1).",
  client:
    "Nothing can be done here: ask the server directly, without what stands between, if you can.",
} as const

const expected = "Each event arrives when the server sends it, long before the stream ends."

/** Family 2: the answer travels in a stream that does not flow. */
export const listingStreamRules: ReadonlyArray<Rule> = [
  {
    code: "stream-buffered",
    family: 2,
    stage: "list",
    weight: "costs",
    title: "Something between holds the events of a stream back",
    expected,
    fix,
    next: examineAgain(),
    supersedes: ["list-answered-late", "list-unanswered", "stream-open-no-events"],
    find: (given): Finding | undefined => {
      const held = [given.main, ...given.experiments.map(({ act }) => act)]
        .flatMap(streamsOf)
        .filter(isHeldBack)
        // A single event may as well be the answer of a server that is slow.
        .toSorted((one, other) => other.messages.length - one.messages.length)[0]
      if (held === undefined) return undefined
      const { call, head, messages } = held
      const [first, last] = [messages[0], messages.at(-1)]
      if (first === undefined || last === undefined) return undefined
      if (messages.length < 2) return undefined
      return {
        confidence: hasMiddleman(held) ? 0.93 : 0.85,
        title: `The stream of ${call.method} was open for ${span(first.at - head.at)}, then ${messages.length} events came at once: something between probably buffers (${inWords(held)})`,
        evidence: [
          ...headersShown(given, held),
          evidence(given.trace, first.index, namedBy(first)),
          evidence(given.trace, last.index, namedBy(last)),
        ],
      }
    },
  },
  {
    code: "stream-open-no-events",
    family: 2,
    stage: "list",
    weight: "fails",
    title: "The stream that should bring the tools is open, and nothing comes on it",
    expected,
    fix,
    next: examineAgain("--timeout 60"),
    supersedes: ["list-unanswered"],
    find: (given): Finding | undefined => {
      const call = callsOf(given.main.conversation, "tools/list").at(-1)
      const open = call && streamOf(call)
      if (call === undefined || open === undefined || open.messages.length > 0) return undefined
      if (call.reply !== undefined || call.ended?.tag === "Ended") return undefined
      const until = call.ended?.at ?? given.main.conversation.last?.at ?? open.head.at
      return {
        confidence: hasMiddleman(open) ? 0.9 : 0.8,
        title: `The stream of tools/list was open for ${span(until - open.head.at)} and brought nothing: the server is stuck, or something between buffers (${inWords(open)})`,
        evidence: [askedShown(given, call), ...headersShown(given, open)],
      }
    },
  },
]
