import { isJsonObject } from "@entente/protocol"
import { experiment, type Case } from "../../case.js"
import { saidByServer } from "../../conversation/conversation.js"
import { toolsCapability, type Agreement } from "../../conversation/opening.js"
import type { ToolWalk } from "../../conversation/tool-walk.js"
import type { Evidence } from "../../diagnosis.js"
import { evidence, member } from "../../evidence.js"
import { examineAgain, type Finding, type Rule } from "../rule.js"

const capabilitiesShown = ({ trace }: Case, agreed: Agreement): Evidence =>
  evidence(trace, agreed.index, member("capabilities", agreed.result["capabilities"]))

const isEmpty = (walk: ToolWalk | undefined): boolean => walk?.complete === true && walk.raw === 0

/** Where the list of a walk stands in the trace. */
const listShown = ({ trace }: Case, { pages }: ToolWalk): ReadonlyArray<Evidence> =>
  pages
    .slice(0, 1)
    .flatMap(({ call: { reply }, raw }) =>
      reply === undefined
        ? []
        : [evidence(trace, reply.index, raw?.length === 0 ? '"tools":[]' : '"tools":[')],
    )

/** Tools that came although none were declared: to the client itself, or to the doctor. */
const servedAnyway = (given: Case): ToolWalk | undefined =>
  [given.main, experiment(given, "tools-anyway")]
    .flatMap((act) => act?.walks ?? [])
    .find(({ raw }) => raw > 0)

/** Another connection, or a renewed one, to which tools were declared. */
const declaredElsewhere = (given: Case): Agreement | undefined =>
  [given.main, ...given.experiments.map(({ act }) => act)]
    .flatMap(({ opening }) => opening.agreements)
    .findLast((agreed) => toolsCapability(agreed) !== undefined)

const undeclared = ({ main: { opening } }: Case): Agreement | undefined =>
  opening.agreed?.capabilities !== undefined && toolsCapability(opening.agreements[0]) === undefined
    ? opening.agreements[0]
    : undefined

const other = ["resources", "prompts"] as const

const declaresOtherThings = (agreed: Agreement): boolean =>
  other.some((name) => agreed.capabilities?.[name] !== undefined)

const notKnown = (given: Case): boolean =>
  [given.main, experiment(given, "tools-anyway")]
    .flatMap((act) => act?.walks ?? [])
    .some(({ pages }) =>
      pages.some(({ call: { reply } }) => reply?.kind === "error" && reply.error.code === -32601),
    )

/** Where the server says that its tools have changed; a client that has none may be gone by then. */
const announced = (given: Case): ReadonlyArray<number> =>
  [given.main, experiment(given, "tools-anyway")].flatMap((act) =>
    act === undefined
      ? []
      : saidByServer(act.conversation, "notifications/tools/list_changed").map(
          ({ index }) => index,
        ),
  )

/** The first list is empty; where tools came later, that list. */
const emptyAtFirst = (
  given: Case,
): { readonly empty: ToolWalk; readonly later: ToolWalk | undefined } | undefined => {
  const { main } = given
  const empty = main.walks.find(isEmpty)
  if (empty === undefined || toolsCapability(main.opening.agreed) === undefined) return undefined
  const after = main.walks.slice(main.walks.indexOf(empty) + 1)
  const later = [...after, ...(experiment(given, "again")?.walks ?? [])].find(({ raw }) => raw > 0)
  return { empty, later }
}

const tellsOfChanges = ({ main: { opening } }: Case): boolean => {
  const capability = toolsCapability(opening.agreed)
  return isJsonObject(capability) && capability["listChanged"] === true
}

/** Whether the list of the client, or its emptiness, was read with credentials. */
const isAuthorized = ({ main: { conversation } }: Case): boolean =>
  conversation.exchanges.some(({ sent }) => sent?.headers["authorization"] !== undefined)

/** Family 1: what the server declares, and whether its tools are there in time. */
export const capabilityRules: ReadonlyArray<Rule> = [
  {
    code: "tools-capability-missing",
    family: 1,
    stage: "negotiate",
    weight: "fails",
    title: "The server has tools, but does not declare them",
    expected: 'The server\'s capabilities have the member "tools": {"capabilities":{"tools":{}}}.',
    fix: {
      server:
        "Declare the capability tools: register the tools before the connection begins, or set it by hand.",
      proxy:
        "Hand the capabilities of the server on as they are, or merge them; do not make your own.",
      client: "Nothing: a client may not ask for what is not declared. Tell the server's author.",
    },
    next: examineAgain(),
    supersedes: ["tools-not-declared"],
    find: (given): Finding | undefined => {
      const agreed = undeclared(given)
      const served = servedAnyway(given)
      return agreed === undefined || served === undefined
        ? undefined
        : {
            confidence: 0.97,
            evidence: [capabilitiesShown(given, agreed), ...listShown(given, served)],
          }
    },
  },
  {
    code: "tools-declared-late",
    family: 1,
    stage: "negotiate",
    weight: "fails",
    title: "The server declares its tools only after the handshake",
    expected:
      "The capability tools is in the first answer: a client reads it there and nowhere else.",
    fix: {
      server:
        "Declare tools from the beginning, also while there are none yet, and announce them with notifications/tools/list_changed.",
      proxy: "Answer a client only when the server behind you has answered you.",
      client: "Connect again: this connection does not learn of them.",
    },
    next: examineAgain(),
    supersedes: ["tools-not-declared", "tools-capability-missing"],
    find: (given): Finding | undefined => {
      const agreed = undeclared(given)
      if (agreed === undefined) return undefined
      const elsewhere = declaredElsewhere(given)
      const [notice] = announced(given)
      if (elsewhere === undefined && notice === undefined) return undefined
      return {
        confidence: elsewhere === undefined ? 0.85 : 0.98,
        evidence: [
          capabilitiesShown(given, agreed),
          ...(notice === undefined
            ? []
            : [evidence(given.trace, notice, "notifications/tools/list_changed")]),
          ...(elsewhere === undefined ? [] : [capabilitiesShown(given, elsewhere)]),
        ],
      }
    },
  },
  {
    code: "tools-not-declared",
    family: 1,
    stage: "negotiate",
    weight: "costs",
    title: "The server declares no tools",
    expected: 'A server with tools declares them: {"capabilities":{"tools":{}}}.',
    fix: {
      server: "If it has tools, declare the capability tools.",
      proxy: "If the server behind you declares tools, hand that on.",
      client: "Check that this is the server that you mean, and that it is set up completely.",
    },
    next: examineAgain(),
    find: (given): Finding | undefined => {
      const agreed = undeclared(given)
      if (agreed === undefined || (notKnown(given) && declaresOtherThings(agreed))) return undefined
      return {
        confidence: notKnown(given) ? 0.9 : 0.7,
        evidence: [capabilitiesShown(given, agreed)],
      }
    },
  },
  {
    code: "other-things-only",
    family: 1,
    stage: "negotiate",
    weight: "remark",
    title: "The server declares no tools, and offers other things only",
    expected: "Nothing else: a server need not have tools.",
    fix: {
      server: "Nothing, unless it was meant to have tools.",
      proxy: "Nothing.",
      client: "Look at its resources and prompts instead.",
    },
    next: (given) => examineAgain()(given).replace("doctor", "snapshot"),
    find: (given): Finding | undefined => {
      const agreed = undeclared(given)
      return agreed !== undefined && notKnown(given) && declaresOtherThings(agreed)
        ? { confidence: 0.95, evidence: [capabilitiesShown(given, agreed)] }
        : undefined
    },
  },
  {
    code: "tools-registered-late",
    family: 1,
    stage: "list",
    weight: "fails",
    title: "The list is empty at first, and has tools a while later",
    expected:
      "The first list has the tools, or notifications/tools/list_changed follows as soon as it has.",
    fix: {
      server:
        "Register the tools before answering the first tools/list, or send notifications/tools/list_changed afterwards (and declare listChanged).",
      proxy: "Wait for the servers behind you before you answer tools/list.",
      client: "Read the list again; follow the changes of the list instead of reading it once.",
    },
    next: examineAgain(),
    find: (given): Finding | undefined => {
      const found = emptyAtFirst(given)
      if (found?.later === undefined) return undefined
      return {
        confidence: 0.97,
        evidence: [...listShown(given, found.empty), ...listShown(given, found.later)],
      }
    },
  },
  {
    code: "tools-may-come-later",
    family: 1,
    stage: "list",
    weight: "costs",
    title: "The list is empty, and the server says that it may change",
    expected: "Tools, or notifications/tools/list_changed when they are there.",
    fix: {
      server:
        "Announce the tools when they are registered; say in the instructions what they wait for.",
      proxy: "Hand notifications/tools/list_changed on.",
      client: "Follow the list for a while: entente tools shows it once more.",
    },
    next: examineAgain("--wait 30"),
    find: (given): Finding | undefined => {
      const found = emptyAtFirst(given)
      if (found === undefined || found.later !== undefined || !tellsOfChanges(given))
        return undefined
      const { agreed } = given.main.opening
      return {
        confidence: isAuthorized(given) ? 0.55 : 0.7,
        evidence: [
          ...listShown(given, found.empty),
          ...(agreed === undefined
            ? []
            : [evidence(given.trace, agreed.index, '"listChanged":true')]),
        ],
      }
    },
  },
  {
    code: "no-tools-offered",
    family: 1,
    stage: "list",
    weight: "costs",
    title: "The server declares tools and has none",
    expected: "At least one tool, or no capability tools.",
    fix: {
      server: "Register a tool, or find out which setting switches them off.",
      proxy: "Check that servers are set up behind you.",
      client: "Check the server's own settings: some offer tools only once they are configured.",
    },
    next: examineAgain(),
    find: (given): Finding | undefined => {
      const found = emptyAtFirst(given)
      if (found === undefined || found.later !== undefined || tellsOfChanges(given))
        return undefined
      return {
        confidence: isAuthorized(given) ? 0.5 : 0.75,
        evidence: listShown(given, found.empty),
      }
    },
  },
]
