import type { Act, Case } from "../../case.js"
import { credentialsIn } from "../../conversation/credentials.js"
import type { Refusal } from "../../conversation/http-refusal.js"
import { evidence } from "../../evidence.js"
import { challengeOf, kept, shown, wasSent, wordsOf } from "./kept-away.js"
import { examineAgain, type Finding, type Rule } from "../rule.js"

const common = {
  family: 6,
  weight: "fails",
  next: examineAgain("--header 'Authorization: Bearer …'"),
} as const

/** A request that was accepted, and had credentials where this one has none. */
const acceptedWith = ({ conversation: { exchanges } }: Act): boolean =>
  exchanges.some(
    ({ sent, answered }) =>
      answered !== undefined && answered.status < 300 && credentialsIn(sent?.headers).length > 0,
  )

/** The same exchange, redirected, and without what the first request had. */
const strippedAfterRedirect = (
  { main: { conversation } }: Case,
  { sent }: Refusal,
): number | undefined => {
  const before = conversation.exchanges.find(
    (exchange) =>
      exchange.answered !== undefined &&
      exchange.answered.status >= 300 &&
      exchange.answered.status < 400 &&
      credentialsIn(exchange.sent?.headers).length > 0,
  )
  return sent !== undefined && credentialsIn(sent).length === 0
    ? before?.answered?.index
    : undefined
}

const saysNone =
  /\b(?:missing|no|not provided|without|lacks?|required)\b.{0,40}\b(?:token|credential|authori[sz]ation|header|api[ -]?key)|(?:token|credential|authori[sz]ation|header|api[ -]?key)s?\b.{0,30}\b(?:missing|not provided|not found|absent)/i

/** Family 6, credentials that were given, and do not open the door. */
export const credentialRules: ReadonlyArray<Rule> = [
  {
    ...common,
    code: "credentials-refused",
    stage: "negotiate",
    title: "The server refuses the credentials that were sent",
    expected:
      "A token of this server's own authorization server, still valid (V26-AUTH-04, V26-AUTH-05).",
    fix: {
      server: 'Say in the challenge what is wrong: error="invalid_token" and error_description.',
      proxy: "Hand the client's own Authorization on; do not put another in its place.",
      client:
        "Log in again, or give a new token: this one has expired, was withdrawn, or is for another server.",
    },
    supersedes: ["authorization-required", "credentials-not-arrived"],
    find: (given): Finding | undefined => {
      const refusal = kept(given, 401)
      if (refusal === undefined || !wasSent(refusal)) return undefined
      const { error } = challengeOf(refusal)?.parameters ?? {}
      const expired = /\bexpired?\b/i.test(wordsOf(refusal))
      // Without a word of an error the server may not have seen them (RFC 6750, 3.1).
      if (error === undefined && (saysNone.test(refusal.text) || !expired)) {
        return saysNone.test(refusal.text)
          ? undefined
          : { confidence: 0.8, evidence: [shown(given, refusal)] }
      }
      return {
        confidence: 0.97,
        ...(expired && { title: "The token that was sent has expired" }),
        evidence: [shown(given, refusal, error === undefined ? undefined : `error="${error}"`)],
      }
    },
  },
  {
    ...common,
    code: "credentials-not-arrived",
    stage: "negotiate",
    title: "Credentials were sent, and the server says that there are none",
    expected: "The header Authorization reaches the server as the client has sent it.",
    fix: {
      server: "Look into its log whether the header arrives; read it in any case of letters.",
      proxy:
        "Hand Authorization on: many take it out unless told to (proxy_set_header, CGIPassAuth, forward auth).",
      client: "Use the final address: a redirect may lose the header.",
    },
    supersedes: ["authorization-required", "challenge-missing", "challenge-without-metadata"],
    find: (given): Finding | undefined => {
      const refusal = kept(given, 401)
      if (refusal === undefined) return undefined
      const redirect = strippedAfterRedirect(given, refusal)
      if (redirect !== undefined) {
        return {
          confidence: 0.95,
          evidence: [evidence(given.trace, redirect), shown(given, refusal)],
        }
      }
      const error = challengeOf(refusal)?.parameters["error"]
      return wasSent(refusal) && error === undefined && saysNone.test(wordsOf(refusal))
        ? {
            confidence: 0.88,
            evidence: [
              shown(given, refusal),
              ...(refusal.call?.reply
                ? [
                    evidence(
                      given.trace,
                      refusal.call.reply.index,
                      saysNone.exec(wordsOf(refusal))?.[0],
                    ),
                  ]
                : []),
            ],
          }
        : undefined
    },
  },
  {
    ...common,
    code: "credentials-not-on-every-request",
    stage: "list",
    title: "The client sends its credentials with some requests only",
    expected: "Authorization on every request, also inside a session (V25-AUTH-11, V26-AUTH-03).",
    fix: {
      server: "Nothing: it is right to refuse.",
      proxy: "Hand Authorization on with every request, also where the connection is kept.",
      client: "Send the header with every POST, GET and DELETE, and not with the first alone.",
    },
    supersedes: [
      "authorization-required",
      "unauthorized-on-list",
      "challenge-missing",
      "challenge-without-metadata",
    ],
    find: (given): Finding | undefined => {
      const refusal = kept(given, 401, 403)
      return refusal === undefined ||
        wasSent(refusal) ||
        refusal.sent === undefined ||
        !acceptedWith(given.main)
        ? undefined
        : { confidence: 0.95, evidence: [shown(given, refusal)] }
    },
  },
]
