import { isJsonObject, isLegacyRevision, isModernRevision, plainText } from "@entente/protocol"
import { experiment, type Case } from "../../case.js"
import type { Reply } from "../../conversation/frame.js"
import { refusalOf, speaksOfVersion } from "../../conversation/refusal.js"
import { evidence, member } from "../../evidence.js"
import { fictionalRevision } from "../../examination/fictional-revision.js"
import { refusalShown } from "../exhibit.js"
import { examineAgain, type Finding, type Rule } from "../rule.js"

type Answered = Reply & { readonly kind: "result" }

/** The answers to `initialize`, of the client or where it was tried once more. */
const answers = ({ main }: Case): ReadonlyArray<Answered> =>
  main.opening.initializes.flatMap(({ reply }) => (reply?.kind === "result" ? [reply] : []))

/** Members as they are meant, and as they are met. */
const nearMisses: Readonly<Record<string, ReadonlyArray<string>>> = {
  protocolVersion: ["protocol_version", "protocolversion", "ProtocolVersion", "version"],
  capabilities: ["capability", "serverCapabilities", "server_capabilities", "Capabilities"],
}

interface Fault {
  readonly pointer: string
  readonly what: string
  /** As it stands in the trace. */
  readonly marked: string | undefined
}

/** What is wrong with a member of an InitializeResult; a missing one is not an empty one (C089). */
const faultOf = (
  { result }: Answered,
  name: "protocolVersion" | "capabilities",
  isRight: (value: unknown) => boolean,
): Fault | undefined => {
  const value = result[name]
  const pointer = `/${name}`
  if (isRight(value)) return undefined
  if (value !== undefined)
    return { pointer, what: `${pointer} has the wrong type`, marked: member(name, value) }
  const near = nearMisses[name]?.find((one) => result[one] !== undefined)
  return near === undefined
    ? { pointer, what: `${pointer} is missing`, marked: undefined }
    : {
        pointer,
        what: `${pointer} is missing (${near} is a near miss)`,
        marked: member(near, result[near]),
      }
}

const faultsOf = (answer: Answered): ReadonlyArray<Fault> =>
  [
    faultOf(answer, "protocolVersion", (value) => typeof value === "string"),
    faultOf(answer, "capabilities", isJsonObject),
  ].filter((fault) => fault !== undefined)

/** Where the server agreed to a revision that nobody knows; one that always names it is no echo. */
const echo = (given: Case) =>
  given.main.opening.agreed?.revision === fictionalRevision
    ? undefined
    : experiment(given, "unknown-version")?.opening.agreements.find(
        ({ revision }) => revision === fictionalRevision,
      )

/** A message in the agreed version that the server refuses because of its version. */
const refusedAsAgreed = ({ main }: Case) => {
  const { agreed } = main.opening
  if (agreed?.era !== "legacy") return undefined
  return main.conversation.sayings
    .filter(({ index, method }) => index > agreed.index && method !== "initialize")
    .flatMap((saying) => {
      const refusal = refusalOf(saying)
      const sent = saying.http?.sent?.headers["mcp-protocol-version"]
      const isOne = refusal !== undefined && refusal.status === 400 && speaksOfVersion(refusal)
      // Another version than was agreed on is the client's fault, and none may be lost on the way.
      return isOne && sent === agreed.revision && !/missing|required|absent/i.test(refusal.text)
        ? [{ refusal, agreed }]
        : []
    })[0]
}

/** Family 4: what the server answers to the question for a version. */
export const versionAgreementRules: ReadonlyArray<Rule> = [
  {
    code: "initialize-result-malformed",
    family: 4,
    stage: "negotiate",
    weight: "fails",
    title: "The answer to initialize is not what it has to be",
    expected:
      'The result has "protocolVersion", a text, "capabilities", an object, and "serverInfo".',
    fix: {
      server: "Answer with these members, in exactly this spelling; an SDK does it by itself.",
      proxy: "Hand the result of initialize on as it is.",
      client: "Nothing: a client may not guess what a server can. Tell the server's author.",
    },
    next: examineAgain(),
    supersedes: ["tools-not-declared", "tools-capability-missing"],
    find: (given): Finding | undefined => {
      const answer = answers(given).at(-1)
      const faults = answer === undefined ? [] : faultsOf(answer)
      if (answer === undefined || faults.length === 0) return undefined
      const told = faults.map(({ what }) => what).join(", ")
      const isList = Array.isArray(answer.result["tools"])
      const marks = faults.map(({ marked }) => marked).filter((marked) => marked !== undefined)
      return {
        confidence: 0.97,
        title: `The answer to initialize is not what it has to be: ${told}${isList ? "; it looks like the answer to tools/list" : ""}`,
        evidence:
          marks.length > 0
            ? marks.map((marked) => evidence(given.trace, answer.index, marked))
            : [evidence(given.trace, answer.index, isList ? '"tools":[' : '"result":')],
      }
    },
  },
  {
    code: "version-unknown",
    family: 4,
    stage: "negotiate",
    weight: "fails",
    title: "The server answers with a version that nobody knows",
    expected: "The version of the answer is a published one: the client's own, or an older one.",
    fix: {
      server:
        "Answer with 2025-11-25, 2025-06-18, 2025-03-26 or 2024-11-05, whichever you implement.",
      proxy: "Hand the version on as it is.",
      client: "Nothing: it may not go on in a version that it does not speak.",
    },
    next: examineAgain(),
    find: (given): Finding | undefined => {
      const { agreed } = given.main.opening
      if (agreed?.era !== "legacy" || isLegacyRevision(agreed.revision)) return undefined
      const named = plainText(agreed.revision, 40)
      return {
        confidence: 0.97,
        title: isModernRevision(agreed.revision)
          ? `The server answers initialize with ${named}, a version that has no initialize`
          : `The server answers with the version ${JSON.stringify(named)}, which nobody knows`,
        evidence: [evidence(given.trace, agreed.index, member("protocolVersion", agreed.revision))],
      }
    },
  },
  {
    code: "version-echoed",
    family: 4,
    stage: "negotiate",
    weight: "fails",
    title: "The server agrees to any version, and then refuses it",
    expected: "The answer to initialize names a version that the server implements.",
    fix: {
      server:
        "Answer with the version that was asked for only if you implement it, else with your newest one.",
      proxy: "Do not put the client's version into the server's answer.",
      client: "Ask for the version that the server implements, by hand.",
    },
    next: examineAgain(),
    supersedes: ["agreed-version-refused", "version-echo", "initialized-refused"],
    find: (given): Finding | undefined => {
      const agreed = echo(given)
      const refused = refusedAsAgreed(given)
      if (agreed === undefined || refused === undefined) return undefined
      const { trace } = given
      return {
        confidence: 0.96,
        evidence: [
          evidence(trace, agreed.index, member("protocolVersion", agreed.revision)),
          evidence(trace, refused.agreed.index, member("protocolVersion", refused.agreed.revision)),
          refusalShown(trace, refused.refusal),
        ],
      }
    },
  },
  {
    code: "agreed-version-refused",
    family: 4,
    stage: "negotiate",
    weight: "fails",
    title: "The server refuses the version that it has agreed to",
    expected: "A request with the agreed version in MCP-Protocol-Version is answered.",
    fix: {
      server: "Accept every version in the header that you answer initialize with.",
      proxy: "Check that initialize and what follows reach servers of the same release.",
      client: "Ask for an older version, by hand.",
    },
    next: examineAgain(),
    supersedes: ["initialized-refused"],
    find: (given): Finding | undefined => {
      const refused = refusedAsAgreed(given)
      if (refused === undefined) return undefined
      return {
        confidence: 0.9,
        evidence: [
          evidence(
            given.trace,
            refused.agreed.index,
            member("protocolVersion", refused.agreed.revision),
          ),
          refusalShown(given.trace, refused.refusal),
        ],
      }
    },
  },
  {
    code: "version-echo",
    family: 4,
    stage: "negotiate",
    weight: "remark",
    title: "The server agrees to any version, also to one that does not exist",
    expected: "An honest server answers with a version of its own, or with an error.",
    fix: {
      server:
        "Answer with the version that was asked for only if you implement it, else with your newest one.",
      proxy: "Do not put the client's version into the server's answer.",
      client: "Nothing, while the server works.",
    },
    next: examineAgain(),
    find: (given): Finding | undefined => {
      const agreed = echo(given)
      return (
        agreed && {
          confidence: 0.97,
          evidence: [
            evidence(given.trace, agreed.index, member("protocolVersion", agreed.revision)),
          ],
        }
      )
    },
  },
]
