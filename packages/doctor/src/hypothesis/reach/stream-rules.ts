import { plainText } from "@entente/protocol"
import type { Case } from "../../case.js"
import type { Failure } from "../../conversation/failure.js"
import type { Fix } from "../../diagnosis.js"
import { evidence } from "../../evidence.js"
import { failedAtFirst, failedBefore, isSpokenWith } from "./how-far.js"
import { examineAgain, type Finding, type Rule } from "../rule.js"

/** What the codes of close frames ask for (RFC 6455, section 7.4). */
const closes: Readonly<Record<string, Partial<Fix>>> = {
  "1006": {
    server: "Look into its log: it crashed, or its process was ended.",
    proxy: "Raise the time that an idle WebSocket may be silent, and allow upgrades on this path.",
  },
  "1008": {
    server: "Say in the reason what is objected to.",
    client: "Check the credentials, and the Origin: the server objects to who asks.",
  },
  "1009": { server: "Raise the size of messages that is accepted." },
  "1011": { server: "This is a fault inside the server: its log says more." },
  "1012": { client: "Try again in a moment: the server is restarting." },
  "1013": { client: "Try again later: the server has too much to do." },
}

const closeWords = /WebSocket (?:with |broke off\b[^(]*\()?(\d{4})?/

const isClose = ({ message, transport, code }: Failure): boolean =>
  code === "unreachable" &&
  /WebSocket (?:with \d|broke off|without a code)/.test(message) &&
  transport === "websocket"

const isWebSocket = ({ main }: Case): boolean =>
  main.conversation.channels.some(({ transport }) => transport === "websocket")

const common = { family: 0, weight: "fails", next: examineAgain() } as const

/** Opening an event stream for HTTP+SSE failed; as a fallback it is only one more thing that was tried. */
const eventStreamFailed = (
  given: Case,
  fits: (failure: Failure) => boolean,
): Failure | undefined => {
  const asFallback = given.main.conversation.channels.some(
    ({ transport }) => transport === "streamable-http",
  )
  return asFallback
    ? undefined
    : failedAtFirst(given, (failure) => failure.transport === "http+sse" && fits(failure))
}

/** Family 0, streams that carry all messages: WebSocket, and the HTTP+SSE of 2024-11-05. */
export const streamRules: ReadonlyArray<Rule> = [
  {
    ...common,
    code: "websocket-closed",
    stage: "bytes",
    title: "The WebSocket is closed before the tools are there",
    expected: "An open WebSocket until the client closes it.",
    fix: {
      server: "Answer instead of closing, and give a reason where you close.",
      proxy: "Allow WebSockets on this path, and let idle ones live.",
      client: "Connect again; check what the reason of the close says.",
    },
    supersedes: ["connection-ended", "handshake-unanswered"],
    find: (given): Finding | undefined => {
      const failure = failedBefore(given, isClose)
      if (failure === undefined) return undefined
      const code = closeWords.exec(failure.message)?.[1]
      return {
        confidence: 0.95,
        title: plainText(failure.message.replace(/\.$/, ""), 160),
        evidence: [evidence(given.trace, failure.index, code)],
        fix: (code !== undefined && Object.hasOwn(closes, code) && closes[code]) || {},
      }
    },
  },
  {
    ...common,
    code: "websocket-upgrade-refused",
    stage: "bytes",
    title: "The upgrade to a WebSocket is refused",
    expected: "HTTP 101 and the subprotocol mcp.",
    fix: {
      server: "Accept the upgrade at this path, for this Origin, and select the subprotocol mcp.",
      proxy: "Hand Upgrade and Connection on: they do not pass by themselves.",
      client: "Check the address: a Streamable HTTP endpoint begins with http or https, not ws.",
    },
    supersedes: ["not-mcp", "refused-with-status", "wrong-path", "server-outage"],
    find: (given): Finding | undefined => {
      const failure = failedAtFirst(
        given,
        ({ transport, code, status }) =>
          transport === "websocket" &&
          // 401 and 403 are of authorization.
          (code === "http-status" || code === "outage") &&
          status !== 401 &&
          status !== 403,
      )
      return (
        failure && {
          confidence: 0.95,
          title: `The upgrade to a WebSocket is answered with HTTP ${failure.status ?? "something else"}`,
          evidence: [evidence(given.trace, failure.index, `"status":${failure.status}`)],
        }
      )
    },
  },
  {
    ...common,
    code: "websocket-other-subprotocol",
    stage: "bytes",
    title: "The WebSocket endpoint speaks another protocol",
    expected: "Sec-WebSocket-Protocol: mcp.",
    fix: {
      server: "Select the subprotocol mcp where it is offered.",
      proxy: "Hand Sec-WebSocket-Protocol on in both directions.",
      client: "Check the address: something else listens there.",
    },
    supersedes: ["not-mcp"],
    find: (given): Finding | undefined => {
      if (!isWebSocket(given)) return undefined
      const failure = failedAtFirst(
        given,
        ({ code, message }) => code === "unexpected-content" && /The server selected/.test(message),
      )
      return (
        failure && {
          confidence: 0.96,
          evidence: [evidence(given.trace, failure.index, "The server selected")],
        }
      )
    },
  },
  {
    ...common,
    code: "sse-endpoint-refused",
    stage: "bytes",
    title: "The event stream names an address for messages that may not be used",
    expected: "An endpoint event with a path on the origin of the stream (V25-SSE-03).",
    fix: {
      server: "Name a path only, or the public address: not the one behind the proxy.",
      proxy: "Tell the server its public address, or rewrite the endpoint event.",
      client: "If you trust that address, give it yourself, as the address for messages.",
    },
    find: (given): Finding | undefined => {
      const failure = failedBefore(given, ({ code }) => code === "endpoint-refused")
      return (
        failure && {
          confidence: 0.97,
          evidence: [
            evidence(given.trace, failure.index, /because [^."]+/.exec(failure.message)?.[0]),
          ],
        }
      )
    },
  },
  {
    ...common,
    code: "sse-no-endpoint",
    stage: "bytes",
    title: "The event stream opens, and names no address for messages",
    expected: "An endpoint event as the first event of the stream (V25-SSE-01).",
    fix: {
      server: "Send the endpoint event as soon as the stream is open, and flush it.",
      proxy: "Do not buffer event streams (X-Accel-Buffering: no).",
      client: "Check that the address is that of the stream, often /sse.",
    },
    // That such an address refuses what Streamable HTTP posts to it is as it should be.
    supersedes: [
      "unreachable",
      "not-mcp",
      "wrong-path",
      "refused-with-status",
      "version-refused-though-named",
    ],
    find: (given): Finding | undefined => {
      const failure = eventStreamFailed(given, ({ message }) => /names?d? no address/.test(message))
      return (
        failure && {
          confidence: 0.95,
          evidence: [
            evidence(
              given.trace,
              failure.index,
              /names?d? no address for messages/.exec(failure.message)?.[0],
            ),
          ],
        }
      )
    },
  },
  {
    ...common,
    code: "sse-no-stream",
    stage: "bytes",
    title: "There is no event stream at this address",
    expected: "HTTP 200 with Content-Type: text/event-stream for the GET.",
    fix: {
      server: "Open an event stream for GET at this path, or say where it is.",
      proxy: "Hand GET on at this path, and do not answer it yourself.",
      client:
        "Check the address, often /sse; a server that takes POST there is one of Streamable HTTP.",
    },
    supersedes: [
      "wrong-path",
      "refused-with-status",
      "server-outage",
      "web-page-instead",
      "not-mcp",
      "unreachable",
    ],
    find: (given): Finding | undefined => {
      const failure = eventStreamFailed(
        given,
        ({ message, status }) =>
          /The GET for the event stream/.test(message) && status !== 401 && status !== 403,
      )
      return (
        failure && {
          confidence: 0.94,
          ...(failure.status === undefined
            ? {}
            : { title: `There is no event stream at this address (HTTP ${failure.status})` }),
          evidence: [evidence(given.trace, failure.index, `"status":${failure.status}`)],
        }
      )
    },
  },
  {
    ...common,
    code: "connection-ended",
    stage: "spawn",
    title: "The connection ends before the tools are there",
    expected: "A connection that stays until the client closes it.",
    fix: {
      server: "Look into its log: it closed the connection, or crashed.",
      proxy: "Let connections live, also idle ones.",
      client: "Connect again; look into the server's own log.",
    },
    find: (given): Finding | undefined => {
      const { channels, errors } = given.main.conversation
      const ends = new Set(
        [
          ...channels.filter(({ event }) => event === "closed"),
          ...errors.filter(({ code }) => code === "closed"),
        ].map(({ index }) => index),
      )
      const failure = failedBefore(given, ({ index }) => ends.has(index))
      if (failure === undefined) return undefined
      return {
        confidence: isSpokenWith(given.main) ? 0.8 : 0.75,
        evidence: [evidence(given.trace, failure.index)],
      }
    },
  },
]
