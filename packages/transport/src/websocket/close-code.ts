import {
  explain,
  ProtocolViolation,
  Unreachable,
  type Note,
  type TransportError,
} from "@entente/protocol"
import { excerpt } from "../foreign-text.js"
import { reasonOf } from "../http/unreachable.js"
import type { SocketEnd, SocketFault } from "./socket-port.js"

interface CloseCode {
  readonly words: string
  readonly hint?: string
}

/** What the codes of close frames mean (RFC 6455, section 7.4, and the registry it makes). */
const closeCodes: Readonly<Record<number, CloseCode>> = {
  1000: { words: "done" },
  1001: { words: "going away" },
  1002: { words: "protocol error" },
  1003: { words: "unsupported data" },
  1007: { words: "invalid data" },
  1008: { words: "against its policy", hint: "Its reason, or its log, says what it objects to." },
  1009: { words: "message too large", hint: "The last message sent is larger than it accepts." },
  1011: { words: "internal error", hint: "This is a fault of the server; its log says more." },
  1012: { words: "restarting" },
  1013: { words: "try again later" },
  1014: { words: "bad gateway" },
}

/** What a server is told when something of it is not tolerated. */
const refusals: { readonly [Code in Note["code"]]?: number } = {
  "binary-frame": 1003,
  "text-frame-noise": 1007,
  "subprotocol-missing": 1002,
}

/** The code to close with because of a note: "policy violation" where there is no better one. */
export const refusalCode = (code: Note["code"]): number => refusals[code] ?? 1008

/** Why a socket that was open is so no longer. */
export const endOf = (end: SocketEnd, target: string, maxMessageBytes: number): TransportError =>
  end.fault === undefined ? closedBy(end, target) : failedBy(end.fault, target, maxMessageBytes)

const closedBy = ({ code, reason }: SocketEnd, target: string): Unreachable => {
  const said = excerpt(reason)
  const known = Object.hasOwn(closeCodes, code) ? closeCodes[code] : undefined
  const what = `${sentenceOf(code, known?.words)}${said === "" ? "" : `: ${said}`}.`
  return new Unreachable(explain("unreachable", "request", target, what, known?.hint))
}

const sentenceOf = (code: number, words: string | undefined): string => {
  if (code === 1006) return "The WebSocket broke off without a close frame (1006)"
  if (code === 1005) return "The server closed the WebSocket without a code (1005)"
  return `The server closed the WebSocket with ${code}${words === undefined ? "" : ` (${words})`}`
}

const failedBy = (fault: SocketFault, target: string, maxMessageBytes: number): TransportError => {
  switch (fault.kind) {
    case "Network": {
      const what = `The WebSocket broke off: ${reasonOf(fault.cause)}.`
      const fields = explain("unreachable", "request", target, what)
      return new Unreachable({ ...fields, cause: fault.cause })
    }
    case "TooLarge": {
      const what = `A message is larger than ${maxMessageBytes} bytes, so the WebSocket was closed.`
      return new ProtocolViolation(explain("message-too-large", "request", target, what))
    }
    case "Broken": {
      const what = `The server broke the WebSocket protocol: ${excerpt(fault.what)}.`
      return new ProtocolViolation(explain("invalid-message", "request", target, what))
    }
  }
}
