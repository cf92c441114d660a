import { plainText } from "@entente/protocol"
import type { Case } from "../../case.js"
import { credentialsIn } from "../../conversation/credentials.js"
import { evidence } from "../../evidence.js"
import { hasPage, isSpokenWith } from "../reach/how-far.js"
import { challengeOf, isOnList, kept, shown, wasSent, wordsOf } from "./kept-away.js"
import { examineAgain, type Finding, type Rule } from "../rule.js"

const common = {
  family: 6,
  weight: "fails",
  next: examineAgain("--header 'Authorization: Bearer …'"),
} as const

/** Whether any request went out with credentials. */
const everSent = ({ main }: Case): boolean =>
  main.conversation.exchanges.some(({ sent }) => credentialsIn(sent?.headers).length > 0)

/** Family 6, what an HTTP server demands before it shows its tools. */
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
