import { plainText } from "@entente/protocol"
import type { Case } from "../../case.js"
import type { Saying } from "../../conversation/frame.js"
import { versionOf } from "../../conversation/opening.js"
import {
  refusalOf,
  speaksOfAbsence,
  speaksOfSession,
  speaksOfVersion,
  type Refusal,
} from "../../conversation/refusal.js"
import type { Evidence } from "../../diagnosis.js"
import { evidence } from "../../evidence.js"
import { refusalShown, sentShown } from "../exhibit.js"
import { examineAgain, type Finding, type Rule } from "../rule.js"

const headerMismatch = -32020

/** Revisions under which every later request names the version in a header (V25-HTTP-38). */
const namesVersion: ReadonlySet<string> = new Set(["2025-06-18", "2025-11-25"])

/** A header, and what the message itself says it has to be. */
interface Due {
  readonly header: string
  readonly value: string
}

/** The headers that repeat what a message says, or what was agreed on (V26-HDR-01, V26-HDR-02, V25-HTTP-38). */
const dueOn = (saying: Saying, { main: { opening } }: Case): ReadonlyArray<Due> => {
  const header = "mcp-protocol-version"
  const own = versionOf(saying)
  if (own !== undefined)
    return [
      { header, value: own },
      { header: "mcp-method", value: saying.method },
    ]
  const agreed = opening.agreements.findLast(({ index }) => index < saying.index)
  return agreed?.era === "legacy" &&
    namesVersion.has(agreed.revision) &&
    saying.method !== "initialize"
    ? [{ header, value: agreed.revision }]
    : []
}

interface Refused {
  readonly refusal: Refusal
  readonly missing: Due | undefined
  readonly differs: Due | undefined
  /** Whether it is the headers that the server speaks of. */
  readonly isNamed: boolean
  readonly due: ReadonlyArray<Due>
}

/**
 * Messages that were refused, over HTTP, and may have been for their headers. The probe is not one of them where
 * the legacy era was agreed on afterwards: such a server owes the modern headers nothing.
 */
const refusedFor = (given: Case): ReadonlyArray<Refused> => {
  const { conversation, era } = given.main
  return conversation.sayings.flatMap((saying) => {
    const headers = saying.http?.sent?.headers
    const refusal = refusalOf(saying)
    if (headers === undefined || refusal === undefined || speaksOfSession(refusal)) return []
    if (refusal.code !== headerMismatch && refusal.status !== 400) return []
    if (era === "legacy" && versionOf(saying) !== undefined) return []
    const due = dueOn(saying, given)
    const isNamed =
      refusal.code === headerMismatch ||
      speaksOfVersion(refusal) ||
      /\bmcp-|header/i.test(refusal.text.slice(0, 2_000))
    return [
      {
        refusal,
        due,
        isNamed,
        missing: due.find(({ header }) => headers[header] === undefined),
        differs: due.find(({ header, value }) => ![undefined, value].includes(headers[header])),
      },
    ]
  })
}

const shown = (
  { trace }: Case,
  { refusal }: Refused,
  { header, value }: Due,
): ReadonlyArray<Evidence> => [
  sentShown(trace, refusal.saying, header),
  evidence(trace, refusal.saying.index, value),
  refusalShown(trace, refusal),
]

const spelled: Readonly<Record<string, string>> = {
  "mcp-protocol-version": "MCP-Protocol-Version",
  "mcp-method": "Mcp-Method",
}

const nameOf = ({ header }: Due): string => spelled[header] ?? header

/** Family 4: the version and the method in the headers of HTTP. */
export const versionHeaderRules: ReadonlyArray<Rule> = [
  {
    code: "version-header-missing",
    family: 4,
    stage: "negotiate",
    weight: "fails",
    title: "The client leaves a header out that the version demands",
    expected:
      "MCP-Protocol-Version is on every request after initialize (from 2025-06-18 on); on every request of 2026-07-28 it is, and Mcp-Method.",
    fix: {
      server: "For revisions before 2026-07-28: take a missing header for 2025-03-26.",
      proxy: "Check that nothing between the client and this trace takes the header away.",
      client: "Send the header with every request, GET and DELETE.",
    },
    next: examineAgain(),
    supersedes: ["server-is-modern-only", "server-is-legacy-only", "initialized-refused"],
    find: (given): Finding | undefined => {
      const found = refusedFor(given).find(({ missing }) => missing !== undefined)
      if (found?.missing === undefined) return undefined
      return {
        confidence: found.isNamed ? 0.96 : 0.75,
        title: `The client leaves out the header ${nameOf(found.missing)}`,
        evidence: shown(given, found, found.missing),
      }
    },
  },
  {
    code: "version-header-differs",
    family: 4,
    stage: "negotiate",
    weight: "fails",
    title: "A header of the client says something else than the message",
    expected:
      "MCP-Protocol-Version and Mcp-Method repeat what the body says, or what was agreed on.",
    fix: {
      server: "Nothing: it has to refuse such a request.",
      proxy: "Do not set these headers yourself.",
      client: "Fill the headers from the message that they go with.",
    },
    next: examineAgain(),
    supersedes: ["server-is-modern-only", "server-is-legacy-only", "initialized-refused"],
    find: (given): Finding | undefined => {
      const found = refusedFor(given).find(({ differs }) => differs !== undefined)
      if (found?.differs === undefined) return undefined
      const { header, value } = found.differs
      const sent = plainText(found.refusal.saying.http?.sent?.headers[header] ?? "", 40)
      return {
        confidence: found.isNamed ? 0.97 : 0.8,
        title: `The header ${nameOf(found.differs)} says ${sent}, where ${plainText(value, 40)} is meant`,
        evidence: shown(given, found, found.differs),
      }
    },
  },
  {
    code: "version-header-not-forwarded",
    family: 4,
    stage: "negotiate",
    weight: "fails",
    title: "The client sends the headers of its version, and the server misses them",
    expected: "MCP-Protocol-Version and Mcp-Method reach the server as the client has sent them.",
    fix: {
      server: "Check that headers are read whatever the case of their letters.",
      proxy:
        "Let all headers that begin with Mcp- through: name them where headers are allowed one by one.",
      client: "Nothing: it did what it should. Try the server's own address, without the proxy.",
    },
    next: examineAgain(),
    supersedes: ["server-is-modern-only", "server-is-legacy-only", "initialized-refused"],
    find: (given): Finding | undefined => {
      const found = refusedFor(given).find(
        ({ due, missing, differs, refusal }) =>
          due.length > 0 &&
          missing === undefined &&
          differs === undefined &&
          (refusal.code === headerMismatch ||
            (speaksOfAbsence(refusal) &&
              /protocol.?version|\bmcp-|header/i.test(refusal.text) &&
              !/must be/i.test(refusal.text))),
      )
      const [due] = found?.due ?? []
      if (found === undefined || due === undefined) return undefined
      return {
        confidence: speaksOfAbsence(found.refusal) ? 0.93 : 0.85,
        evidence: [
          sentShown(given.trace, found.refusal.saying, due.header),
          refusalShown(given.trace, found.refusal),
        ],
      }
    },
  },
]
