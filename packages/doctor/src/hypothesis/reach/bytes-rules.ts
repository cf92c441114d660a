import { isJsonObject } from "@entente/protocol"
import type { Case } from "../../case.js"
import type { ProcessMoment } from "../../conversation/conversation.js"
import type { Mark } from "../../conversation/frame.js"
import { evidence } from "../../evidence.js"
import { failedBefore, hasPage, sumsUp } from "./how-far.js"
import { examineAgain, type Finding, type Rule } from "../rule.js"

const common = { family: 0, stage: "bytes", weight: "fails", next: examineAgain() } as const

const perLine = "One JSON-RPC message per line on stdout, and nothing else there."

/** Lines on stdout that are no messages. */
const noiseOf = ({ main }: Case): ReadonlyArray<ProcessMoment> =>
  main.conversation.processes.filter(({ event }) => event === "noise")

const hasMessages = ({ main }: Case): boolean =>
  main.conversation.frames.some(({ direction }) => direction === "in")

/** A line of a message that was spread over several. */
const isPiece = ({ detail }: ProcessMoment): boolean =>
  /^\s*"jsonrpc"\s*:|^\s*"(?:result|id)"\s*:/.test(detail)

/** A message with something else around it on its line. */
const isSpoilt = ({ detail }: ProcessMoment): boolean => /\{\s*"jsonrpc"\s*:/.test(detail)

/** A call that waits for its answer, where nothing else says why. */
const waitsForAnswer = ({ main }: Case): boolean =>
  main.conversation.calls.some(({ reply }) => reply === undefined)

/** Whether a value could be any message: it asks, tells or answers something. */
const isMessage = (value: unknown): boolean =>
  isJsonObject(value) && ["method", "result", "error"].some((name) => value[name] !== undefined)

const found = (
  given: Case,
  mark: Mark | undefined,
  confidence: number,
  marked?: string,
): Finding | undefined =>
  mark && { confidence, evidence: [evidence(given.trace, mark.index, marked)] }

/** What is said about a line that has begun and not ended. */
const unended = /A line of \d+ bytes has begun and not ended/

/** Family 0, bytes that come and cannot be read. */
export const bytesRules: ReadonlyArray<Rule> = [
  {
    ...common,
    code: "content-length-framing",
    title: "The server frames its messages with Content-Length, as language servers do",
    expected: perLine,
    fix: {
      server: "Write each message as one line that ends with a newline, without headers.",
      proxy: "Translate the framing, or use none.",
      client:
        "Start the program in its MCP mode, if it has one: this is that of a language server.",
    },
    supersedes: ["stdout-noise-only", "handshake-unanswered", "not-mcp", "connection-ended"],
    find: (given): Finding | undefined => {
      if (hasPage(given.main) || hasMessages(given)) return undefined
      const line = noiseOf(given).find(({ detail }) => /^Content-Length:\s*\d+/i.test(detail))
      return found(given, line, 0.97, "Content-Length")
    },
  },
  {
    ...common,
    code: "pretty-printed",
    title: "The server spreads each message over several lines",
    expected: perLine,
    fix: {
      server: "Write JSON without indentation: every newline ends a message.",
      proxy: "Hand messages on as they are, or write each on one line.",
      client: "Look for a setting that switches pretty printing off.",
    },
    supersedes: ["stdout-noise-only", "handshake-unanswered"],
    find: (given): Finding | undefined =>
      hasPage(given.main)
        ? undefined
        : (found(given, noiseOf(given).find(isPiece), 0.96, '"jsonrpc"') ?? undefined),
  },
  {
    ...common,
    code: "line-never-ends",
    title: "The server never ends the line of its first message",
    expected: "A newline after each message.",
    fix: {
      server: "Write a newline after each message, and flush stdout.",
      proxy: "Hand every byte on as it comes; do not wait for more.",
      client: "Nothing: tell the server's author.",
    },
    supersedes: ["handshake-unanswered"],
    find: (given): Finding | undefined => {
      const failure = failedBefore(given, ({ message }) => unended.test(message))
      return found(given, failure, 0.95, failure && unended.exec(failure.message)?.[0])
    },
  },
  {
    ...common,
    code: "logs-break-framing",
    title: "Log lines on stdout are mixed into the messages",
    expected: perLine,
    fix: {
      server:
        "Write logs to stderr, also those of libraries and of print; write each message with one call.",
      proxy: "Log to stderr or a file.",
      client: "Switch the server's logging off, or to a file, until it is repaired.",
    },
    supersedes: ["stdout-noise-only", "handshake-unanswered"],
    find: (given): Finding | undefined => {
      if (hasPage(given.main) || !waitsForAnswer(given)) return undefined
      return found(given, noiseOf(given).find(isSpoilt), 0.93, '{"jsonrpc"')
    },
  },
  {
    ...common,
    code: "stdout-noise-only",
    title: "What the server writes to stdout is no MCP",
    expected: perLine,
    fix: {
      server: "Write logs to stderr, and serve MCP on stdin and stdout.",
      proxy: "Nothing: it is not asked.",
      client: "Check command and arguments: many programs need a subcommand or flag to serve MCP.",
    },
    supersedes: ["handshake-unanswered"],
    find: (given): Finding | undefined => {
      const [first] = noiseOf(given)
      if (first === undefined || hasMessages(given)) return undefined
      if (!sumsUp(given.main)) return found(given, first, 0.9, first.detail)
      // Whether messages came beside it the log does not say; a client that counts tools had some.
      const finding =
        given.context.shown === undefined ? found(given, first, 0.6, first.detail) : undefined
      return finding && { ...finding, title: "The server writes to stdout what is no message" }
    },
  },
  {
    ...common,
    code: "message-too-large",
    title: "A message of the server is larger than the limit",
    expected:
      "Messages within the client's limit (16 MiB where nobody says otherwise); long lists in pages.",
    fix: {
      server: "Send long lists in pages (nextCursor), and shorter schemas and descriptions.",
      proxy: "Hand nextCursor on; do not join pages.",
      client: "Raise the limit for one message, if the server really needs it.",
    },
    supersedes: ["handshake-unanswered", "connection-ended"],
    find: (given): Finding | undefined =>
      found(
        given,
        failedBefore(given, ({ code }) => code === "message-too-large"),
        0.97,
        "message-too-large",
      ),
  },
  {
    ...common,
    code: "broken-messages",
    title: "The server sends something that is no JSON-RPC",
    expected: 'A JSON object with "jsonrpc": "2.0", and an id with result or error.',
    fix: {
      server: "Write every message with a JSON encoder, whole, and with jsonrpc and id.",
      proxy: "Hand bodies on whole; check limits and time-outs that cut them.",
      client: "Nothing: tell the server's author, with this trace.",
    },
    supersedes: ["handshake-unanswered"],
    find: (given): Finding | undefined => {
      if (hasPage(given.main)) return undefined
      const { unreadable, frames, http } = given.main.conversation
      const odd = frames.find(({ direction, message }) => direction === "in" && !isMessage(message))
      if (odd !== undefined) return found(given, odd, 0.92)
      // Over HTTP an answer that is no message says more about who answers.
      const [first] = unreadable
      return http !== true && first?.code === "invalid-message"
        ? found(given, first, 0.8)
        : undefined
    },
  },
]
