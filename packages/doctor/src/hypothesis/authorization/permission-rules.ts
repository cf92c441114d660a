import { isJsonObject } from "@entente/protocol"
import { experiment, type Act, type Case } from "../../case.js"
import { credentialsIn } from "../../conversation/credentials.js"
import { refusalsOf } from "../../conversation/http-refusal.js"
import type { ToolWalk } from "../../conversation/tool-walk.js"
import type { Evidence } from "../../diagnosis.js"
import { evidence } from "../../evidence.js"
import { examineAgain, type Finding, type Rule } from "../rule.js"

const withToken = examineAgain("--header 'Authorization: Bearer …'")

const emptyList = ({ walk }: Act): ToolWalk | undefined =>
  walk?.complete === true && walk.raw === 0 ? walk : undefined

const listShown = (
  { trace }: Case,
  walk: ToolWalk | undefined,
  marked: string,
): ReadonlyArray<Evidence> => {
  const reply = walk?.pages[0]?.call.reply
  return reply === undefined ? [] : [evidence(trace, reply.index, marked)]
}

const isAuthorized = ({ main: { conversation } }: Case): boolean =>
  conversation.exchanges.some(({ sent }) => credentialsIn(sent?.headers).length > 0)

/** Where a server that answered without credentials says all the same that there are some to be had. */
const hints = ({
  main: { conversation, opening },
}: Case): ReadonlyArray<readonly [number, string | undefined]> => [
  ...refusalsOf(conversation)
    .filter(({ status }) => status === 401)
    .map(({ index }) => [index, "HTTP 401"] as const),
  ...conversation.exchanges.flatMap(({ answered }) =>
    answered !== undefined &&
    answered.status < 300 &&
    answered.headers["www-authenticate"] !== undefined
      ? [[answered.index, "www-authenticate"] as const]
      : [],
  ),
  ...conversation.frames.flatMap(({ headers, index }) =>
    headers?.["www-authenticate"] === undefined ? [] : [[index, undefined] as const],
  ),
  ...(opening.agreed === undefined ? [] : wordsIn(opening.agreed.index, opening.agreed.result)),
]

const speaksOfLogin =
  /\b(?:log ?in|sign ?in|authenticat\w+|authori[sz]\w+|api[ _-]?key|access token|oauth)\b/i

const wordsIn = (index: number, result: object): ReadonlyArray<readonly [number, string]> => {
  const instructions = isJsonObject(result) ? result["instructions"] : undefined
  const words = typeof instructions === "string" ? speaksOfLogin.exec(instructions)?.[0] : undefined
  return words === undefined ? [] : [[index, words]]
}

/** What the doctor was told when it asked without the credentials. */
const anonymously = (
  given: Case,
): { readonly act: Act; readonly refused: number | undefined } | undefined => {
  const act = experiment(given, "anonymous")
  if (act === undefined) return undefined
  const refusal = refusalsOf(act.conversation).find(
    ({ status }) => status === 401 || status === 403,
  )
  return { act, refused: refusal?.index }
}

/** Family 6, lists that depend on who asks. */
export const permissionRules: ReadonlyArray<Rule> = [
  {
    code: "empty-for-anonymous",
    family: 6,
    stage: "list",
    weight: "costs",
    title: "The list is empty for somebody without credentials",
    expected: "Tools for everybody, or 401 with a challenge for who may not see them.",
    fix: {
      server:
        "Answer 401 with a challenge instead of an empty list, so that a client knows that it has to log in.",
      proxy: "Hand Authorization on.",
      client: "Log in, or give a token as the header Authorization.",
    },
    next: withToken,
    find: (given): Finding | undefined => {
      const walk = emptyList(given.main)
      if (walk === undefined || isAuthorized(given)) return undefined
      const [first] = hints(given)
      if (first === undefined) return undefined
      const [index, marked] = first
      const isHeader = index !== given.main.opening.agreed?.index
      return {
        confidence: isHeader ? 0.9 : 0.78,
        evidence: [...listShown(given, walk, '"tools":[]'), evidence(given.trace, index, marked)],
      }
    },
  },
  {
    code: "credentials-hide-tools",
    family: 6,
    stage: "list",
    weight: "fails",
    title: "The list is empty with the credentials that were given, and has tools without",
    expected: "Somebody who is known sees at least what anybody sees.",
    fix: {
      server: "Check the roles of this account: they take away what is open to all.",
      proxy: "Check where requests with these credentials are sent to.",
      client: "Use other credentials, or none.",
    },
    next: examineAgain(),
    supersedes: ["no-tools-offered", "tools-may-come-later", "perhaps-filtered-by-permission"],
    find: (given): Finding | undefined => {
      const walk = emptyList(given.main)
      const other = anonymously(given)?.act.walk
      return walk === undefined || other === undefined || other.raw === 0
        ? undefined
        : {
            confidence: 0.95,
            evidence: [
              ...listShown(given, walk, '"tools":[]'),
              ...listShown(given, other, '"tools":['),
            ],
          }
    },
  },
  {
    code: "perhaps-filtered-by-permission",
    family: 6,
    stage: "list",
    weight: "costs",
    title: "The list is empty, perhaps because of what these credentials may see",
    expected: "The tools that these scopes or roles allow.",
    fix: {
      server:
        "Answer 403 with insufficient_scope and the scopes that are needed, instead of an empty list.",
      proxy: "Hand the client's own Authorization on.",
      client: "Log in with an account, or with scopes, that may use the tools.",
    },
    next: withToken,
    find: (given): Finding | undefined => {
      const walk = emptyList(given.main)
      if (walk === undefined || !isAuthorized(given)) return undefined
      const other = anonymously(given)
      const sent = given.main.conversation.exchanges.find(
        (exchange) => credentialsIn(exchange.sent?.headers).length > 0,
      )?.sent
      const [name] = credentialsIn(sent?.headers)
      return {
        // A server that refuses the anonymous knows these credentials, and decides by them (C113).
        confidence: other?.refused === undefined ? 0.6 : 0.8,
        evidence: [
          ...listShown(given, walk, '"tools":[]'),
          ...(sent === undefined ? [] : [evidence(given.trace, sent.index, name)]),
          ...(other?.refused === undefined ? [] : [evidence(given.trace, other.refused)]),
        ],
      }
    },
  },
  {
    code: "more-with-credentials",
    family: 6,
    stage: "list",
    weight: "remark",
    title: "Without the credentials there are fewer tools",
    expected: "Nothing else: a list may depend on who asks (V26-CACHE-14).",
    fix: {
      server: "Nothing. A 401 instead of a shorter list tells a client that it has to log in.",
      proxy: "Keep no list of one user for another.",
      client: "Keep the credentials: without them tools are missing.",
    },
    next: examineAgain(),
    find: (given): Finding | undefined => {
      const other = anonymously(given)
      const own = given.main.walk
      if (other === undefined || own === undefined || own.raw === 0) return undefined
      const walk = other.act.walk
      if (walk === undefined || !walk.complete || walk.raw >= own.raw) return undefined
      return {
        confidence: 0.9,
        evidence: [...listShown(given, own, '"tools":['), ...listShown(given, walk, '"tools":[')],
      }
    },
  },
]
