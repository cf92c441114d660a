import { isJsonObject, isLegacyRevision, provesModern, type JsonObject } from "@entente/protocol"
import { isDiscoverResult } from "@entente/session"
import { experiment, type Act, type Case } from "../../case.js"
import type { Saying } from "../../conversation/frame.js"
import { versionOf } from "../../conversation/opening.js"
import { refusalOf, type Refusal } from "../../conversation/refusal.js"
import { versionRefusals } from "../../conversation/version-refusal.js"
import type { Evidence } from "../../diagnosis.js"
import { evidence } from "../../evidence.js"
import { refusalShown, sentShown } from "../exhibit.js"
import { examineAgain, type Finding, type Rule } from "../rule.js"

const methodNotFound = -32601

/** What proves nothing about the era of a server: it is ill, busy, or wants credentials. */
const provesNothing = ({ status = 0 }: Refusal): boolean =>
  status >= 500 || (status >= 300 && status < 400) || silentStatuses.has(status)

const silentStatuses: ReadonlySet<number> = new Set([401, 403, 407, 408, 413, 429, 431])

/** What the client asked in the modern era. */
const modernCalls = ({ conversation }: Act): ReadonlyArray<Saying> =>
  conversation.calls.filter((call) => versionOf(call) !== undefined)

const refusalsOf = (sayings: ReadonlyArray<Saying>): ReadonlyArray<Refusal> =>
  sayings.flatMap((saying) => refusalOf(saying) ?? [])

/** A legacy server may answer a modern request as if it were one of its own; it says no `resultType`. */
const isModern = ({ opening, walk }: Act): boolean => {
  const reply = walk?.pages[0]?.call.reply
  return (
    opening.agreed?.era === "modern" ||
    (reply?.kind === "result" && reply.result["resultType"] !== undefined)
  )
}

/** Where the server has shown that it speaks the other era. */
const otherEra = (given: Case): Act | undefined => {
  const act = experiment(given, "other-era")
  if (act?.era === undefined) return undefined
  return act.era === "legacy" || isModern(act) ? act : undefined
}

const agreementShown = ({ trace }: Case, { opening, walk, era }: Act): ReadonlyArray<Evidence> => {
  const { agreed } = opening
  if (agreed !== undefined) return [evidence(trace, agreed.index, agreed.revision)]
  const list = walk?.pages[0]?.call.reply
  return list === undefined || era === undefined ? [] : [evidence(trace, list.index, '"tools"')]
}

/** Probes whose answer, or silence, proves nothing. */
const oddProbes = ({ main, context }: Case): ReadonlyArray<Saying> =>
  main.opening.probes.filter(({ reply, ended, ...probe }) => {
    const refusal = refusalOf({ reply, ended, ...probe })
    if (refusal !== undefined) return provesNothing(refusal)
    return reply === undefined && context.open !== true && main.conversation.http === true
  })

const nearMisses: Readonly<Record<string, ReadonlyArray<string>>> = {
  supportedVersions: ["supported_versions", "protocolVersions", "versions", "protocolVersion"],
  capabilities: ["serverCapabilities", "server_capabilities", "capability"],
}

/** A DiscoverResult lacks a member; the name of one that comes near is marked. */
const lacks = (result: JsonObject, name: string, isRight: boolean) => {
  if (isRight) return []
  const near = nearMisses[name]?.find((one) => result[one] !== undefined)
  const hint = near === undefined ? "" : ` (${near} is a near miss)`
  return [{ what: `/${name}${hint}`, marked: near === undefined ? undefined : `"${near}"` }]
}

const discovered = ({ main }: Case) =>
  main.opening.probes.flatMap(({ reply }) =>
    reply?.kind === "result" && !isDiscoverResult(reply.result) ? [reply] : [],
  )[0]

/** Family 4: client and server speak different eras, or cannot find out which one. */
export const versionEraRules: ReadonlyArray<Rule> = [
  {
    code: "server-is-modern-only",
    family: 4,
    stage: "negotiate",
    weight: "fails",
    title: "The server speaks 2026-07-28 only, and the client an older version",
    expected: "Client and server speak one version: the client asks with server/discover first.",
    fix: {
      server: "Answer initialize as well, as long as there are clients that know nothing else.",
      proxy: "Translate between the eras, or name a server of the older one.",
      client:
        "Use a release of the client that speaks 2026-07-28, or let it choose the version itself.",
    },
    next: examineAgain("--era modern"),
    supersedes: [
      "handshake-refused",
      "client-capability-missing",
      "version-refused-without-list",
      "version-gate",
    ],
    find: (given): Finding | undefined => {
      const { main, trace } = given
      if (main.era !== undefined || main.opening.initializes.length === 0) return undefined
      if (modernCalls(main).length > 0) return undefined
      if (versionRefusals(main).some(({ named }) => named.some(isLegacyRevision))) return undefined
      const refusals = refusalsOf(main.opening.initializes)
      const last = refusals.at(-1)
      const there = otherEra(given)
      const isShown = there?.era === "modern"
      const proved = refusals.find(({ code }) => code !== undefined && provesModern(code))
      const said = proved ?? last
      if (!isShown && (said === undefined || provesNothing(said))) return undefined
      if (!isShown && proved === undefined && said?.code !== methodNotFound) return undefined
      return {
        confidence: isShown ? 0.97 : proved === undefined ? 0.7 : 0.92,
        evidence: [
          ...(said === undefined
            ? main.opening.initializes.slice(0, 1).map((call) => sentShown(trace, call))
            : [refusalShown(trace, said)]),
          ...(isShown ? agreementShown(given, there) : []),
        ],
      }
    },
  },
  {
    code: "server-is-legacy-only",
    family: 4,
    stage: "negotiate",
    weight: "fails",
    title: "The server speaks an older version only, and the client 2026-07-28",
    expected:
      "Client and server speak one version: the client sends initialize to an older server.",
    fix: {
      server: "Support 2026-07-28; until then, refuse server/discover with -32601 at once.",
      proxy: "Translate between the eras, or name a server of the newer one.",
      client: "Let the client fall back to initialize; do not pin it to 2026-07-28.",
    },
    next: examineAgain("--era legacy"),
    supersedes: ["version-gate"],
    find: (given): Finding | undefined => {
      const { main, trace } = given
      if (main.era !== undefined || main.opening.initializes.length > 0) return undefined
      const asked = modernCalls(main)
      const last = refusalsOf(asked).at(-1)
      const there = otherEra(given)
      const isShown = there?.era === "legacy"
      if (asked.length === 0 || (!isShown && last === undefined)) return undefined
      if (!isShown && last !== undefined && provesNothing(last)) return undefined
      if (!isShown && last?.code !== undefined && provesModern(last.code)) return undefined
      return {
        confidence: isShown ? 0.96 : last?.code === methodNotFound ? 0.85 : 0.6,
        evidence: [
          ...(last === undefined
            ? asked.slice(0, 1).map((call) => sentShown(trace, call))
            : [refusalShown(trace, last)]),
          ...(isShown ? agreementShown(given, there) : []),
        ],
      }
    },
  },
  {
    code: "probe-misanswered",
    family: 4,
    stage: "negotiate",
    weight: "fails",
    title:
      "The server breaks at server/discover, so that no client can tell which version it speaks",
    expected:
      "A server that does not know server/discover refuses it: with -32601, or with a status from 400 to 499.",
    fix: {
      server: "Refuse methods that you do not know with -32601 instead of failing at them.",
      proxy: "Hand unknown methods on, and the server's refusal back.",
      client: "Tell it to speak the older version from the beginning.",
    },
    next: examineAgain("--era legacy"),
    supersedes: ["server-is-legacy-only", "discover-result-malformed"],
    find: (given): Finding | undefined => {
      const { main, trace } = given
      const [odd] = oddProbes(given)
      const there = otherEra(given)
      if (main.era !== undefined || odd === undefined || there?.era !== "legacy") return undefined
      const refusal = refusalOf(odd)
      return {
        confidence: 0.96,
        evidence: [
          refusal === undefined ? sentShown(trace, odd) : refusalShown(trace, refusal),
          ...agreementShown(given, there),
        ],
      }
    },
  },
  {
    code: "discover-result-malformed",
    family: 4,
    stage: "negotiate",
    weight: "fails",
    title: "The answer to server/discover is not what it has to be",
    expected: 'The result has "supportedVersions", a list, and "capabilities", an object.',
    fix: {
      server: "Answer with these members, in exactly this spelling.",
      proxy: "Hand the result of server/discover on as it is.",
      client: "Nothing: it cannot tell from such an answer what the server speaks.",
    },
    next: examineAgain("--era modern"),
    supersedes: ["tools-not-declared", "handshake-refused", "server-is-legacy-only"],
    find: (given): Finding | undefined => {
      const odd = discovered(given)
      // A legacy server may answer an unknown method with anything (T-09).
      if (odd === undefined || given.main.opening.agreed !== undefined) return undefined
      const { result } = odd
      const missing = [
        ...lacks(result, "supportedVersions", Array.isArray(result["supportedVersions"])),
        ...lacks(result, "capabilities", isJsonObject(result["capabilities"])),
      ]
      const marked = missing.find((one) => one.marked !== undefined)?.marked
      return {
        confidence: 0.93,
        title: `The answer to server/discover lacks ${missing.map(({ what }) => what).join(" and ")}`,
        evidence: [evidence(given.trace, odd.index, marked ?? '"result":')],
      }
    },
  },
]
