import { rpcCode } from "@entente/protocol"
import { toolsCapability } from "../../conversation/opening.js"
import type { Case } from "../../case.js"
import type { Headers } from "../../conversation/frame.js"
import { member } from "../../evidence.js"
import {
  askedShown,
  refusedFirst,
  replyShown,
  statusShown,
  type FailedPage,
  type Refusal,
} from "./listing.js"
import { examineAgain, type Finding, type Rule } from "../rule.js"

const shown = (given: Case, { call, reply }: FailedPage & { readonly reply: Refusal }) => [
  askedShown(given, call),
  ...(reply.kind === "error"
    ? [replyShown(given, reply, member("code", reply.error.code))]
    : statusShown(given, call).length > 0
      ? statusShown(given, call)
      : [replyShown(given, reply, member("status", reply.status))]),
]

/** Servers that stand before other servers, as their headers tell. */
const middlemen =
  /nginx|openresty|cloudflare|envoy|haproxy|traefik|caddy|varnish|awselb|istio|kong|akamai|google frontend|vercel|fly\/|cloudfront|apache/i

const namesOfMiddlemen = [
  "via",
  "cf-ray",
  "x-amz-cf-id",
  "x-amzn-requestid",
  "x-envoy-upstream-service-time",
  "x-cache",
  "x-vercel-id",
  "fly-request-id",
  "x-kong-proxy-latency",
] as const

/** The header by which something between shows itself, as `name: value`. */
const middlemanIn = (headers: Headers): string | undefined => {
  const server = headers["server"]
  if (server !== undefined && middlemen.test(server)) return `server: ${server}`
  const name = namesOfMiddlemen.find((one) => headers[one] !== undefined)
  return name && `${name}: ${headers[name]}`
}

/** Statuses that only something between gives, or mostly. */
const betweenStatuses: ReadonlySet<number> = new Set([
  502, 503, 504, 520, 521, 522, 523, 524, 525, 526, 530,
])

/** Family 2: the first page is refused. */
export const listingRefusalRules: ReadonlyArray<Rule> = [
  {
    code: "list-method-unknown",
    family: 2,
    stage: "list",
    weight: "fails",
    title: "The server declares tools, and does not know tools/list",
    expected: 'A server that declares the capability tools answers tools/list with {"tools":[…]}.',
    fix: {
      server:
        "Register a handler for tools/list, or do not declare the capability tools. With an SDK, register the tools before connecting.",
      proxy: "Hand tools/list on: the server behind you may know it.",
      client: "Nothing: tell the server's author.",
    },
    next: examineAgain(),
    find: (given): Finding | undefined => {
      const refused = refusedFirst(given)
      if (refused?.reply.kind !== "error") return undefined
      if (refused.reply.error.code !== rpcCode.methodNotFound) return undefined
      // A list that is not declared is family 1's.
      const { agreed } = given.main.opening
      const declared = toolsCapability(agreed) !== undefined
      if (agreed !== undefined && !declared) return undefined
      return { confidence: declared ? 0.97 : 0.8, evidence: shown(given, refused) }
    },
  },
  {
    code: "list-server-error",
    family: 2,
    stage: "list",
    weight: "fails",
    title: "The server fails while it answers tools/list",
    expected: 'An answer with a result: {"tools":[…]}.',
    fix: {
      server:
        "Look into the server's own log at this time. Often one tool's schema cannot be made: leave that tool out instead of failing.",
      proxy: "Check that the request arrives as it was sent.",
      client: "Try again later; if it stays so, send this report to the server's author.",
    },
    next: examineAgain(),
    find: (given): Finding | undefined => {
      const refused = refusedFirst(given)
      if (refused === undefined) return undefined
      const { reply } = refused
      if (reply.kind === "error" && reply.error.code === rpcCode.internalError)
        return { confidence: 0.95, evidence: shown(given, refused) }
      const { status } = reply
      if (status === undefined || status < 500 || betweenStatuses.has(status)) return undefined
      return {
        confidence: reply.kind === "error" ? 0.93 : 0.9,
        evidence: shown(given, refused),
        title: `The server fails while it answers tools/list (HTTP ${status})`,
      }
    },
  },
  {
    code: "list-failed-between",
    family: 2,
    stage: "list",
    weight: "fails",
    title: "Something between fails to get an answer to tools/list from the server",
    expected: "The answer of the server, whatever it takes to get it.",
    fix: {
      server: "Check that it runs, and answers tools/list within the time that the proxy allows.",
      proxy:
        "Look into your log: is the server behind you reachable, and is your time-out for reading longer than its answer takes?",
      client: "Ask the server directly, without what stands between, if you can.",
    },
    next: examineAgain(),
    find: (given): Finding | undefined => {
      const refused = refusedFirst(given)
      if (refused?.reply.kind !== "status" || !betweenStatuses.has(refused.reply.status))
        return undefined
      const { status, headers, text } = refused.reply
      const answered = refused.call.http?.answered
      const who = middlemanIn({ ...headers, ...answered?.headers })
      const isPage = /^\s*<(?:!doctype|html)/i.test(text)
      const certain = who !== undefined || isPage ? 0.95 : status === 503 ? 0.6 : 0.85
      return {
        confidence: certain,
        title: `Something between${who === undefined ? "" : ` (${who})`} answers tools/list with HTTP ${status}: it got no answer from the server`,
        evidence: shown(given, refused),
      }
    },
  },
  {
    code: "list-refused",
    family: 2,
    stage: "list",
    weight: "fails",
    title: "The server refuses tools/list",
    expected: 'An answer with a result: {"tools":[…]}.',
    fix: {
      server: "Answer tools/list, or say in the error what is missing.",
      proxy: "Check that it is the server that refuses, and not a rule of yours.",
      client: "Read the server's words in the evidence: they say what it wants.",
    },
    next: examineAgain(),
    find: (given): Finding | undefined => {
      const refused = refusedFirst(given)
      if (refused === undefined) return undefined
      const { reply } = refused
      if (reply.kind === "status") {
        // Statuses from 500 on have causes of their own.
        return reply.status >= 500
          ? undefined
          : {
              confidence: 0.6,
              title: `tools/list is answered with HTTP ${reply.status}`,
              evidence: shown(given, refused),
            }
      }
      const { code } = reply.error
      const named = [rpcCode.methodNotFound, rpcCode.internalError, rpcCode.invalidParams]
      if ((named as ReadonlyArray<number>).includes(code)) return undefined // to ask for membership
      return {
        confidence: 0.7,
        title: `The server refuses tools/list with the error ${code}`,
        evidence: shown(given, refused),
      }
    },
  },
]
