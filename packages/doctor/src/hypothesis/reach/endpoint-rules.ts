import { plainText } from "@entente/protocol"
import type { Case } from "../../case.js"
import { refusalsOf, type Refusal } from "../../conversation/http-refusal.js"
import type { Evidence, Fix } from "../../diagnosis.js"
import { evidence } from "../../evidence.js"
import { failedAtFirst, isSpokenWith } from "./how-far.js"
import { examineAgain, type Finding, type Rule } from "../rule.js"

/** Refusals of a server that was never spoken with; the last says most: others before it may be probes. */
const atFirst = ({ main }: Case): ReadonlyArray<Refusal> =>
  isSpokenWith(main) ? [] : refusalsOf(main.conversation)

/** Of a message, that is: the GET that looks for an older transport may be refused as well. */
const ofMessage = (refusals: ReadonlyArray<Refusal>): Refusal | undefined =>
  refusals.findLast(({ httpMethod }) => httpMethod === "POST") ?? refusals.at(-1)

const overWebSocket = ({ main }: Case): boolean =>
  main.conversation.channels.some(({ transport }) => transport === "websocket") ||
  main.conversation.exchanges.some(({ url }) => /^wss?:/i.test(url))

/** A JSON-RPC error is an answer of the protocol, whatever its status. */
const isAnswer = ({ call }: Refusal): boolean => call?.reply?.kind === "error"

const statusShown = ({ trace }: Case, { index, status }: Refusal): Evidence =>
  evidence(trace, index, String(status))

/** A status that says something by itself, whoever sent it. */
interface Status {
  readonly code: string
  readonly title: (status: number) => string
  readonly has: (status: number) => boolean
  readonly confidence: number
  readonly expected: string
  readonly fix: Fix
}

const answers = "HTTP 200 and a JSON-RPC answer to the POST."

const statuses: ReadonlyArray<Status> = [
  {
    code: "wrong-path",
    title: (status) => `There is no MCP endpoint at this address (HTTP ${status})`,
    has: (status) => status === 404 || status === 405 || status === 410,
    confidence: 0.92,
    expected: answers,
    fix: {
      server: "Say the whole address in the documentation, its path included.",
      proxy: "Hand the path on as it is, and POST as well as GET and DELETE.",
      client:
        "Check the path: often it is /mcp, and /sse for the older transport; a slash at the end may matter.",
    },
  },
  {
    code: "too-many-requests",
    title: () => "The server, or something before it, takes no more requests for now (HTTP 429)",
    has: (status) => status === 429,
    confidence: 0.95,
    expected: answers,
    fix: {
      server: "Allow the few requests of a handshake, and send Retry-After.",
      proxy: "Raise the limit for this path.",
      client: "Wait as long as Retry-After says.",
    },
  },
  {
    code: "server-outage",
    title: (status) => `The server, or its gateway, is out of order (HTTP ${status})`,
    has: (status) => status >= 500,
    confidence: 0.93,
    expected: answers,
    fix: {
      server: "Look into its log for the request.",
      proxy:
        "502, 503 and 504 mostly mean that the server behind you is away or too slow: check that it runs.",
      client: "Try again later; tell whoever runs the server.",
    },
  },
  {
    code: "media-type-refused",
    title: (status) => `The server does not take the media types of the request (HTTP ${status})`,
    has: (status) => status === 406 || status === 415,
    confidence: 0.93,
    expected:
      "Content-Type: application/json and Accept: application/json, text/event-stream are enough.",
    fix: {
      server: "Accept both media types in one Accept header.",
      proxy: "Hand Accept and Content-Type on as they are.",
      client:
        "Send Content-Type: application/json and Accept: application/json, text/event-stream.",
    },
  },
]

const statusRule = ({ code, title, has, confidence, expected, fix }: Status): Rule => ({
  code,
  family: 0,
  stage: "bytes",
  weight: "fails",
  title: title(0).replace(" (HTTP 0)", ""),
  expected,
  fix,
  next: examineAgain(),
  supersedes: ["refused-with-status"],
  find: (given): Finding | undefined => {
    const refusal = ofMessage(atFirst(given))
    if (refusal === undefined || overWebSocket(given)) return undefined
    // A server may well use such a status for an error of the protocol; that error is explained elsewhere.
    if (!has(refusal.status) || (isAnswer(refusal) && refusal.status < 429)) return undefined
    return {
      confidence: isAnswer(refusal) ? 0.8 : confidence,
      title: title(refusal.status),
      evidence: [statusShown(given, refusal)],
    }
  },
})

const isContent = /text\/html|<!doctype|<html/i

/** Family 0, an address that answers, but not as an MCP server would. */
export const endpointRules: ReadonlyArray<Rule> = [
  ...statuses.map(statusRule),
  {
    code: "refused-with-status",
    family: 0,
    stage: "bytes",
    weight: "fails",
    title: "The handshake is refused by an HTTP status",
    expected: answers,
    fix: {
      server: "Answer with JSON-RPC, also where you refuse.",
      proxy: "Check which rule of yours answers so.",
      client: "Check the address, and the headers that are configured.",
    },
    next: examineAgain(),
    find: (given): Finding | undefined => {
      const refusal = ofMessage(atFirst(given))
      if (refusal === undefined || overWebSocket(given) || isAnswer(refusal)) return undefined
      const { status, text } = refusal
      // 401 and 403 are of authorization.
      if (status === 401 || status === 403) return undefined
      const said = plainText(text, 80)
      return {
        confidence: 0.6,
        title: `The handshake is refused with HTTP ${status}${said === "" ? "" : `: ${said}`}`,
        evidence: [statusShown(given, refusal)],
      }
    },
  },
  {
    code: "web-page-instead",
    family: 0,
    stage: "bytes",
    weight: "fails",
    title: "A web page answers instead of an MCP server",
    expected: "Content-Type: application/json or text/event-stream.",
    fix: {
      server: "Answer with JSON-RPC at this path.",
      proxy:
        "Route this path to the server: a start page, a login or a gateway's own page answers.",
      client: "Check the path: this is a site, or its login, and not the MCP endpoint.",
    },
    next: examineAgain(),
    supersedes: ["not-mcp", "refused-with-status"],
    find: (given): Finding | undefined => {
      const failure = failedAtFirst(
        given,
        ({ code, message }) => code === "unexpected-content" && isContent.test(message),
      )
      if (failure !== undefined) {
        const marked = isContent.exec(failure.message)?.[0]
        return { confidence: 0.96, evidence: [evidence(given.trace, failure.index, marked)] }
      }
      const page = given.main.conversation.exchanges.find(
        ({ answered }) =>
          answered?.status === 200 && /text\/html/i.test(answered.headers["content-type"] ?? ""),
      )
      return page?.answered === undefined || isSpokenWith(given.main) || overWebSocket(given)
        ? undefined
        : { confidence: 0.95, evidence: [evidence(given.trace, page.answered.index, "text/html")] }
    },
  },
  {
    code: "not-mcp",
    family: 0,
    stage: "bytes",
    weight: "fails",
    title: "What answers is not MCP",
    expected: "A JSON-RPC message in the body, or events that hold one.",
    fix: {
      server: "Answer with JSON-RPC, and nothing beside it.",
      proxy: "Hand bodies on as they are; do not wrap them.",
      client: "Check the address: something else answers there.",
    },
    next: examineAgain(),
    find: (given): Finding | undefined => {
      const failure = failedAtFirst(
        given,
        ({ code, transport }) =>
          (code === "unexpected-content" || code === "invalid-message") && transport === undefined,
      )
      return failure && given.main.conversation.http === true
        ? { confidence: 0.9, evidence: [evidence(given.trace, failure.index)] }
        : undefined
    },
  },
]
