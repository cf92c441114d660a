import { isJsonObject, isLegacyRevision, isModernRevision, plainText } from "@entente/protocol"
import type { Case } from "../../case.js"
import { refusalOf } from "../../conversation/refusal.js"
import { versionRefusals, type VersionRefusal } from "../../conversation/version-refusal.js"
import type { Evidence } from "../../diagnosis.js"
import { evidence } from "../../evidence.js"
import { refusalShown, sentShown } from "../exhibit.js"
import { examineAgain, type Finding, type Rule } from "../rule.js"

/** Refusals of versions, where none was agreed on in the end. */
const refusals = ({ main }: Case): ReadonlyArray<VersionRefusal> =>
  main.era === undefined ? versionRefusals(main) : []

const isKnown = (version: string): boolean => isLegacyRevision(version) || isModernRevision(version)

const shown = ({ trace }: Case, refusal: VersionRefusal): ReadonlyArray<Evidence> => {
  const [first] = refusal.named
  return [
    sentShown(trace, refusal.saying),
    first === undefined
      ? refusalShown(trace, refusal)
      : evidence(trace, refusal.reply.index, first),
  ]
}

/** Names that the other side gave, as one harmless line. */
const list = (names: ReadonlyArray<string>): string =>
  `${names
    .slice(0, 5)
    .map((name) => plainText(name, 40))
    .join(", ")}${names.length > 5 ? " …" : ""}`

const missingCapability = -32021

/** Family 4: a version, or what goes with it, is refused. */
export const versionRefusalRules: ReadonlyArray<Rule> = [
  {
    code: "no-common-version",
    family: 4,
    stage: "negotiate",
    weight: "fails",
    title: "Client and server have no version in common",
    expected: "The server names a version that clients speak: 2026-07-28, 2025-11-25 or older.",
    fix: {
      server: "Support a published revision; name it in data.supported of the refusal.",
      proxy: "Check which server the requests reach.",
      client:
        "Use a release of the client that speaks a version of the server, or another release of the server.",
    },
    next: examineAgain(),
    supersedes: ["handshake-refused", "server-is-legacy-only", "server-is-modern-only"],
    find: (given): Finding | undefined => {
      const last = refusals(given).findLast(({ named }) => named.length > 0)
      if (last === undefined || last.named.some(isKnown)) return undefined
      return {
        confidence: 0.97,
        evidence: shown(given, last),
        title: `Client and server have no version in common: the server names ${list(last.named)}`,
      }
    },
  },
  {
    code: "version-refused-though-named",
    family: 4,
    stage: "negotiate",
    weight: "fails",
    title: "The server refuses the very version that it says it supports",
    expected: "A request in a version of data.supported is answered.",
    fix: {
      server: "Compare the version that came with the list that you name: one of the two is wrong.",
      proxy: "Check whether something changes the version in the body or in MCP-Protocol-Version.",
      client: "Nothing: it asked for what was offered.",
    },
    next: examineAgain(),
    supersedes: ["version-gate", "handshake-refused", "server-is-legacy-only"],
    find: (given): Finding | undefined => {
      const contrary = refusals(given).filter(
        ({ offered, named }) => offered !== undefined && named.includes(offered),
      )
      const [first] = contrary
      if (first === undefined) return undefined
      return {
        // Once may be a roll-out; a client asks once more (V26-VER-05).
        confidence: contrary.length > 1 ? 0.95 : 0.8,
        evidence: contrary.slice(0, 2).flatMap((one) => shown(given, one)),
      }
    },
  },
  {
    code: "version-gate",
    family: 4,
    stage: "negotiate",
    weight: "fails",
    title:
      "The server refuses the version of the client and names others, which the client does not try",
    expected:
      "initialize is answered with a version of the server's own; a refusal that names versions is followed by a request in one of them.",
    fix: {
      server:
        "Answer initialize with the best version that you have instead of refusing it, whatever the client asks for.",
      proxy: "Let versions through that you do not know.",
      client: "Ask once more with a version that the server names, or set that version by hand.",
    },
    next: examineAgain(),
    supersedes: ["handshake-refused"],
    find: (given): Finding | undefined => {
      const last = refusals(given).at(-1)
      const others = last?.named.filter((version) => version !== last.offered && isKnown(version))
      if (last === undefined || others === undefined || others.length === 0) return undefined
      if (last.offered !== undefined && last.named.includes(last.offered)) return undefined
      return {
        confidence: 0.93,
        evidence: shown(given, { ...last, named: others }),
        title: `The server refuses ${list([last.offered ?? "the version"])} and names ${list(others)}, which the client does not try`,
      }
    },
  },
  {
    code: "version-refused-without-list",
    family: 4,
    stage: "negotiate",
    weight: "fails",
    title: "The server refuses the version and does not say which one it wants",
    expected: "The error -32022 has data.supported, a list of versions.",
    fix: {
      server: 'Add "data":{"supported":[…],"requested":…} to the error.',
      proxy: "Hand the data of errors on.",
      client: "Try an older version by hand.",
    },
    next: examineAgain("--era legacy"),
    supersedes: ["handshake-refused"],
    find: (given): Finding | undefined => {
      const all = refusals(given)
      const last = all.at(-1)
      return last === undefined || all.some(({ named }) => named.length > 0)
        ? undefined
        : { confidence: 0.85, evidence: shown(given, last) }
    },
  },
  {
    code: "client-capability-missing",
    family: 4,
    stage: "negotiate",
    weight: "fails",
    title: "The server refuses clients that lack a capability",
    expected:
      "Tools are listed for every client; only what needs a capability is refused with -32021.",
    fix: {
      server:
        "List the tools for every client, and refuse a call only where it cannot be done otherwise.",
      proxy: "Hand the client's capabilities in _meta on as they are.",
      client: "Use a client that has the capability, or switch it on.",
    },
    next: examineAgain(),
    supersedes: ["handshake-refused", "server-is-legacy-only"],
    find: (given): Finding | undefined => {
      if (given.main.walk?.complete === true) return undefined
      const refusal = given.main.conversation.calls
        .filter(({ method }) => method === "tools/list" || method === "server/discover")
        .map(refusalOf)
        .findLast((one) => one?.code === missingCapability)
      if (refusal?.reply.kind !== "error") return undefined
      const { data } = refusal.reply.error
      const wanted = isJsonObject(data) ? data["requiredCapabilities"] : undefined
      const names = isJsonObject(wanted) ? Object.keys(wanted) : []
      return {
        confidence: 0.95,
        evidence: [refusalShown(given.trace, refusal)],
        ...(names.length > 0
          ? { title: `The server refuses clients without the capability ${list(names)}` }
          : {}),
      }
    },
  },
]
