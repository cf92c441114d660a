import { plainText } from "@entente/protocol"
import type { Case } from "../../case.js"
import type { Failure } from "../../conversation/failure.js"
import type { Fix } from "../../diagnosis.js"
import { evidence } from "../../evidence.js"
import { failedBefore } from "./how-far.js"
import { examineAgain, type Finding, type Rule } from "../rule.js"

/** A way in which an address can be out of reach, and the words that tell it from the others (C112). */
interface Barrier {
  readonly code: string
  readonly title: string
  readonly expected: string
  readonly fix: Fix
  readonly confidence: number
  /** What a transport or a log says of it; the match is marked. */
  readonly says: RegExp
  /** Codes of failures; `unreachable` where absent. */
  readonly codes?: ReadonlyArray<string>
}

const nobody = "Nothing: it is not reached."

const barriers: ReadonlyArray<Barrier> = [
  {
    code: "proxy-failed",
    title: "The proxy on the way did not let the request through",
    expected: "The answer of the server itself.",
    fix: {
      server: nobody,
      proxy: "Let this host through; where it wants a name and password, say so with 407.",
      client:
        "Check HTTP_PROXY and HTTPS_PROXY, or name the host in NO_PROXY; a name and password belong into the proxy's address.",
    },
    confidence: 0.97,
    says: /The proxy\b|HTTP 407|proxies are supported/,
    codes: ["proxy-failed"],
  },
  {
    code: "redirect-refused",
    title: "The address redirects to another place, and that was not followed",
    expected: "The MCP endpoint answers at the address that is configured.",
    fix: {
      server: "Answer at the address that you publish; use 307 or 308 within one origin only.",
      proxy:
        "Serve the endpoint under its own address; a redirect must not lead from https to http.",
      client:
        "Use the address that the redirect names, if you trust it: credentials never follow to another origin.",
    },
    confidence: 0.97,
    says: /redirect \(\d+\)/,
    codes: ["redirect-refused"],
  },
  {
    code: "address-refuses",
    title: "Nothing listens at the address",
    expected: "A server that accepts connections on this host and port.",
    fix: {
      server:
        "Start it, and listen on the address that is published: 127.0.0.1 is not reached from elsewhere.",
      proxy: "Check the port that you hand requests on to.",
      client:
        "Check host and port, and that the server runs; inside a container localhost is the container.",
    },
    confidence: 0.97,
    says: /ECONNREFUSED|connection refused|ERR_CONNECTION_REFUSED/i,
  },
  {
    code: "host-unknown",
    title: "The host name is not known",
    expected: "A name that leads to an address.",
    fix: {
      server: "Publish the right name.",
      proxy: "Check the name of the server behind you.",
      client: "Check the spelling of the host, the network, and a VPN that may be needed.",
    },
    confidence: 0.97,
    says: /ENOTFOUND|EAI_AGAIN|host name (?:is not known|could not be looked up)|ERR_NAME_NOT_RESOLVED/i,
  },
  {
    code: "tls-failed",
    title: "No secure connection comes about",
    expected: "A certificate for this host, signed by an authority that the client knows.",
    fix: {
      server: "Renew the certificate, and send the whole chain.",
      proxy:
        "Serve a certificate for this host name; one that inspects traffic needs its authority installed.",
      client:
        "Check https or http, and the host. Trust a private authority with NODE_EXTRA_CA_CERTS; do not switch the check off.",
    },
    confidence: 0.96,
    says: /certificate|self.signed|\bTLS\b|\bSSL\b|wrong version number|EPROTO|ERR_CERT_\w+/i,
  },
  {
    code: "no-way-to-host",
    title: "No connection to the host comes about",
    expected: "The host accepts the connection within seconds.",
    fix: {
      server: "Check that a firewall lets the port through.",
      proxy: "Check the way to the server behind you.",
      client:
        "Check the network, a VPN, and the port; a firewall that drops packets looks like this.",
    },
    confidence: 0.93,
    says: /EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|no way to the (?:host|network)|connection timed out|no (?:connection to|connection within|WebSocket within)/i,
    codes: ["unreachable", "deadline-passed"],
  },
  {
    code: "connection-cut",
    title: "The connection is cut before an answer comes",
    expected: "An answer on the same connection.",
    fix: {
      server: "Look into its log: it closes the connection while it deals with the request.",
      proxy: "Look into its log: its own server may be gone, or too slow for it.",
      client: "Check http or https and the port; try again.",
    },
    confidence: 0.9,
    says: /ECONNRESET|EPIPE|socket hang up|server closed the connection|does not have the length/i,
  },
]

/** What a server without TLS answers to one who begins with it. */
const plainHttp = /does not speak TLS|wrong version number/i

const speaksNoTls = {
  title: "The address is asked with https, and what listens there does not speak TLS",
  expected: "http where the server speaks http; https where it has a certificate.",
  fix: {
    server: "Publish the address with http, or serve it with a certificate.",
    proxy: "End TLS before this port, or hand on to the port that speaks it.",
    client: "Check http or https, and the port.",
  },
} as const

const isUnreachable = ["unreachable"]

const saysIt = ({ codes = isUnreachable, says }: Barrier, failure: Failure): string | undefined => {
  if (!codes.includes(failure.code)) return undefined
  return (says.exec(failure.cause) ?? says.exec(failure.message))?.[0]
}

const ruleOf = (barrier: Barrier): Rule => ({
  code: barrier.code,
  family: 0,
  stage: "spawn",
  weight: "fails",
  title: barrier.title,
  expected: barrier.expected,
  fix: barrier.fix,
  next: examineAgain(),
  supersedes: ["unreachable", "connection-ended", "handshake-unanswered"],
  find: (given): Finding | undefined => {
    const failure = failedBefore(given, (one) => saysIt(barrier, one) !== undefined)
    return (
      failure && {
        confidence: barrier.confidence,
        ...(barrier.code === "tls-failed" && plainHttp.test(`${failure.message} ${failure.cause}`)
          ? { ...speaksNoTls, evidence: [shown(given, failure, "does not speak TLS")] }
          : { evidence: [shown(given, failure, saysIt(barrier, failure))] }),
      }
    )
  },
})

const shown = ({ trace }: Case, { index }: Failure, marked: string | undefined) =>
  evidence(trace, index, marked)

/** Closes of a WebSocket and refusals of a stream have rules of their own. */
const isPlain = ({ code, transport, message }: Failure): boolean =>
  code === "unreachable" && transport !== "http+sse" && !/WebSocket/.test(message)

/** Family 0, a server behind an address: it cannot be reached. */
export const addressRules: ReadonlyArray<Rule> = [
  ...barriers.map(ruleOf),
  {
    code: "unreachable",
    family: 0,
    stage: "spawn",
    weight: "fails",
    title: "The server cannot be reached",
    expected: "An answer from the address.",
    fix: {
      server: "Check that it runs and listens where it should.",
      proxy: "Check the way to the server behind you.",
      client: "Check the address and the network.",
    },
    next: examineAgain(),
    supersedes: ["handshake-unanswered"],
    find: (given): Finding | undefined => {
      const failure = failedBefore(given, isPlain)
      return (
        failure && {
          confidence: 0.85,
          title:
            plainText(failure.message.replace(/\.$/, ""), 160) || "The server cannot be reached",
          evidence: [evidence(given.trace, failure.index)],
        }
      )
    },
  },
]
