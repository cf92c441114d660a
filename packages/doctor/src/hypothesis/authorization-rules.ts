import { plainText, type Challenge } from "@entente/protocol"
import type { Act, Case } from "../case.js"
import { credentialsIn } from "../conversation/credentials.js"
import { challengesOf, refusalsOf, type Refusal } from "../conversation/refusal.js"
import type { Evidence } from "../diagnosis.js"
import { evidence } from "../evidence.js"
import { hasPage, isSpokenWith } from "./how-far.js"
import { examineAgain, type Finding, type Rule } from "./rule.js"

const common = {
  family: 6,
  weight: "fails",
  next: examineAgain("--header 'Authorization: Bearer …'"),
} as const

/** The refusal that kept the tools away, with one of these statuses. */
const kept = ({ main }: Case, ...statuses: ReadonlyArray<number>): Refusal | undefined => {
  if (hasPage(main)) return undefined
  const last = refusalsOf(main.conversation).findLast(
    ({ httpMethod, call }) => httpMethod === "POST" || call !== undefined || !isSpokenWith(main),
  )
  return last !== undefined && statuses.includes(last.status) ? last : undefined
}

const isOnList = ({ call }: Refusal): boolean => call?.method === "tools/list"

const challengeOf = (refusal: Refusal): Challenge | undefined => challengesOf(refusal)[0]

/** The part of the challenge to look at, or else the status. */
const shown = ({ trace }: Case, { index, status }: Refusal, part?: string): Evidence =>
  evidence(trace, index, part ?? `HTTP ${status}`)

const wasSent = ({ sent }: Refusal): boolean => credentialsIn(sent).length > 0

/** Whether any request went out with credentials. */
const everSent = ({ main }: Case): boolean =>
  main.conversation.exchanges.some(({ sent }) => credentialsIn(sent?.headers).length > 0)

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

const wordsOf = (refusal: Refusal): string => {
  const { error_description: description = "" } = challengeOf(refusal)?.parameters ?? {}
  return `${description} ${refusal.text}`
}

const saysNone =
  /\b(?:missing|no|not provided|without|lacks?|required)\b.{0,40}\b(?:token|credential|authori[sz]ation|header|api[ -]?key)|(?:token|credential|authori[sz]ation|header|api[ -]?key)s?\b.{0,30}\b(?:missing|not provided|not found|absent)/i

/** Family 6, credentials: what an HTTP server demands before it shows its tools. */
export const authorizationRules: ReadonlyArray<Rule> = [
  {
    ...common,
    code: "authorization-required",
    stage: "negotiate",
    title: "The server wants authorization, and no credentials were sent",
    expected: "Authorization: Bearer … on every request (V26-AUTH-03).",
    fix: {
      server: "Nothing: the challenge says what is wanted.",
      proxy: "Hand Authorization and WWW-Authenticate on as they are.",
      client: "Log in, or give a token as the header Authorization.",
    },
    supersedes: ["refused-with-status", "handshake-error"],
    find: (given): Finding | undefined => {
      const refusal = kept(given, 401)
      return refusal === undefined || wasSent(refusal)
        ? undefined
        : { confidence: 0.93, evidence: [shown(given, refusal)] }
    },
  },
  {
    ...common,
    code: "challenge-missing",
    stage: "negotiate",
    title: "The server wants authorization, and does not say of what kind",
    expected: "401 with WWW-Authenticate: Bearer resource_metadata=… (RFC 9728, V26-AUTH-06).",
    fix: {
      server:
        "Send WWW-Authenticate: Bearer with resource_metadata, so that a client can find out where to log in.",
      proxy: "Hand WWW-Authenticate on: some take it out.",
      client:
        "Give a token yourself, as the header Authorization: no client can find out where to log in.",
    },
    supersedes: ["authorization-required"],
    find: (given): Finding | undefined => {
      const refusal = kept(given, 401)
      return refusal === undefined ||
        wasSent(refusal) ||
        isOnList(refusal) ||
        challengeOf(refusal) !== undefined
        ? undefined
        : { confidence: 0.95, evidence: [shown(given, refusal)] }
    },
  },
  {
    ...common,
    code: "challenge-without-metadata",
    stage: "negotiate",
    title: "The server wants authorization, and its challenge does not say where to log in",
    expected:
      "resource_metadata in the challenge, or metadata at /.well-known/oauth-protected-resource (V26-AUTH-06).",
    fix: {
      server: "Name resource_metadata in the challenge.",
      proxy: "Hand /.well-known/oauth-protected-resource on to the server.",
      client:
        "Log in where the client finds metadata by itself, or give a token as the header Authorization.",
    },
    supersedes: ["authorization-required"],
    find: (given): Finding | undefined => {
      const refusal = kept(given, 401)
      const challenge = refusal && challengeOf(refusal)
      if (refusal === undefined || challenge === undefined || wasSent(refusal) || isOnList(refusal))
        return undefined
      return challenge.scheme !== "bearer" ||
        challenge.parameters["resource_metadata"] !== undefined
        ? undefined
        : {
            confidence: 0.94,
            evidence: [shown(given, refusal, refusal.headers["www-authenticate"])],
          }
    },
  },
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
  {
    ...common,
    code: "unauthorized-on-list",
    stage: "list",
    title: "The handshake is open to anybody, and tools/list wants authorization",
    expected: "The list, or a challenge that says how to get it.",
    fix: {
      server:
        "Demand authorization from the first request on, so that a client logs in before it lists.",
      proxy: "Apply one rule to all messages: they share one path.",
      client: "Log in, or give a token: the connection stands, and shows nothing without.",
    },
    supersedes: ["authorization-required"],
    find: (given): Finding | undefined => {
      const refusal = kept(given, 401)
      return refusal === undefined ||
        !isOnList(refusal) ||
        wasSent(refusal) ||
        !isSpokenWith(given.main)
        ? undefined
        : { confidence: 0.96, evidence: [shown(given, refusal)] }
    },
  },
  {
    ...common,
    code: "scope-insufficient",
    stage: "negotiate",
    title: "The credentials do not have the scopes that are needed",
    expected: "A token with the scopes that the challenge names (V25-AUTH-14).",
    fix: {
      server: "Name in the challenge every scope that is needed.",
      proxy: "Hand WWW-Authenticate on.",
      client: "Log in again and ask for the scopes that are named.",
    },
    supersedes: ["forbidden", "credentials-refused"],
    find: (given): Finding | undefined => {
      const refusal = kept(given, 403, 401)
      const { error, scope } = (refusal && challengeOf(refusal)?.parameters) ?? {}
      if (refusal === undefined || error !== "insufficient_scope") return undefined
      return {
        confidence: 0.98,
        ...(isOnList(refusal) && { stage: "list" as const }),
        ...(scope === undefined
          ? {}
          : { title: `The credentials lack the scopes that are needed: ${plainText(scope, 120)}` }),
        evidence: [
          shown(given, refusal, scope === undefined ? `error="${error}"` : `scope="${scope}"`),
        ],
      }
    },
  },
  {
    ...common,
    code: "origin-refused",
    stage: "negotiate",
    title: "The server refuses requests from this origin",
    expected: "The origin of the page, or none, is one that the server allows.",
    fix: {
      server:
        "Allow the origins that are meant to use it; a request without Origin comes from no browser.",
      proxy: "Do not add or change Origin.",
      client: "Use it from an origin that is allowed, or from a program instead of a page.",
    },
    next: examineAgain("--origin https://your.site"),
    supersedes: ["forbidden", "handshake-error"],
    find: (given): Finding | undefined => {
      const refusal = kept(given, 403)
      if (refusal === undefined) return undefined
      const speaks = /\borigin\b/i.test(wordsOf(refusal))
      const origin = refusal.sent?.["origin"]
      if (!speaks && origin === undefined) return undefined
      return {
        confidence: speaks ? 0.95 : 0.7,
        evidence: [
          shown(given, refusal),
          ...(speaks && refusal.call?.reply
            ? [evidence(given.trace, refusal.call.reply.index, "rigin")]
            : []),
        ],
      }
    },
  },
  {
    ...common,
    code: "forbidden",
    stage: "negotiate",
    title: "The server refuses access",
    expected: "Credentials that may do this, or a challenge that says which.",
    fix: {
      server: "Say in the challenge, or in the body, what is missing.",
      proxy: "Check your own rules: addresses, countries, bots, methods.",
      client: "Ask whoever runs the server for access; a firewall before it may refuse programs.",
    },
    supersedes: ["refused-with-status", "handshake-error"],
    find: (given): Finding | undefined => {
      const refusal = kept(given, 403)
      return (
        refusal && { confidence: everSent(given) ? 0.85 : 0.8, evidence: [shown(given, refusal)] }
      )
    },
  },
  {
    ...common,
    code: "authorization-reported",
    stage: "negotiate",
    title: "The server wants authorization",
    expected: "Credentials that the server takes.",
    fix: {
      server: "Nothing: the challenge says what is wanted.",
      proxy: "Hand Authorization and WWW-Authenticate on as they are.",
      client: "Log in again in the client, or give a token.",
    },
    find: (given): Finding | undefined => {
      if (hasPage(given.main) || kept(given, 401, 403) !== undefined) return undefined
      const failure = given.main.conversation.failures.find(
        ({ code }) => code === "authorization-required" || code === "forbidden",
      )
      return failure && { confidence: 0.85, evidence: [evidence(given.trace, failure.index)] }
    },
  },
]
