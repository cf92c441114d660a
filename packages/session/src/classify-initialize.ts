import {
  explain,
  isJsonObject,
  ProtocolViolation,
  provesModern,
  type JsonObject,
  type LegacyRevision,
} from "@entente/protocol"
import type { Answer, Dialect } from "./answer.js"
import { plainText } from "./plain-text.js"
import { parseSessionId, type SessionId } from "./session-id.js"
import { troubleOf, type Trouble } from "./trouble.js"
import { bestLegacy, bestModern, versionsNamedBy, type Candidates } from "./version-choice.js"

/** What an answer to `initialize` means. */
export type InitializeReading =
  | {
      readonly kind: "accepted"
      readonly revision: LegacyRevision
      readonly initialize: JsonObject
      readonly sessionId: SessionId | undefined
    }
  /** A good result, for a version this client does not speak (V25-LIFE-05). */
  | { readonly kind: "otherVersion"; readonly version: string }
  /** A result that is no InitializeResult, or whose session id may not be echoed. */
  | { readonly kind: "malformed"; readonly error: ProtocolViolation }
  /** Refused, and the refusal names versions: `older` is the best one both sides know (C026). */
  | {
      readonly kind: "namesVersions"
      readonly named: ReadonlyArray<string>
      readonly older: LegacyRevision | undefined
      /** Whether any named version, of either era, is one of ours. */
      readonly common: boolean
    }
  /**
   * Refused otherwise. `badRequest`: an HTTP 400 that is no modern error (C027). `oldTransport`: a 400,
   * 404 or 405 without JSON-RPC, as a server of 2024-11-05 answers any POST (V25-DET-02).
   */
  | { readonly kind: "refused"; readonly badRequest: boolean; readonly oldTransport: boolean }
  | { readonly kind: "unanswered" }
  | { readonly kind: Trouble }

const malformed = (target: string, pointer: string, what: string): InitializeReading => ({
  kind: "malformed",
  error: new ProtocolViolation({
    ...explain("invalid-result", "negotiate", target, `The result of initialize ${what}.`),
    pointer,
  }),
})

const readResult = (
  answer: Answer & { readonly _tag: "Result" },
  candidates: Candidates,
  target: string,
): InitializeReading => {
  const { protocolVersion, capabilities } = answer.result
  if (typeof protocolVersion !== "string") {
    const what =
      protocolVersion === undefined
        ? "has no protocolVersion"
        : `has a protocolVersion that is no text: ${plainText(JSON.stringify(protocolVersion), 60)}`
    return malformed(target, "/protocolVersion", what)
  }
  const revision = bestLegacy([protocolVersion], candidates)
  if (!revision) return { kind: "otherVersion", version: protocolVersion }
  if (!isJsonObject(capabilities)) return malformed(target, "/capabilities", "has no capabilities")
  const sessionId = answer.sessionId === undefined ? undefined : parseSessionId(answer.sessionId)
  return answer.sessionId !== undefined && sessionId === undefined
    ? malformed(target, "", "came with a session id that is not visible ASCII")
    : { kind: "accepted", revision, initialize: answer.result, sessionId }
}

const refused = (answer: Answer): InitializeReading => {
  const status = answer._tag === "Status" || answer._tag === "Error" ? answer.status : undefined
  const modern = answer._tag === "Error" && provesModern(answer.error.code)
  return {
    kind: "refused",
    badRequest: status === 400 && !modern,
    oldTransport: answer._tag === "Status" && [400, 404, 405].includes(answer.status),
  }
}

/** Reads the answer to an `initialize` that offered a version. */
export const classifyInitialize = (
  answer: Answer,
  offered: LegacyRevision,
  candidates: Candidates,
  dialect: Dialect,
  target: string,
): InitializeReading => {
  if (answer._tag === "Result") return readResult(answer, candidates, target)
  if (answer._tag === "Silence") return { kind: "unanswered" }
  const trouble = troubleOf(answer, dialect)
  if (trouble) return { kind: trouble }
  const named = versionsNamedBy(answer, offered)
  if (named.length === 0) return refused(answer)
  const lower = candidates.legacy.slice(candidates.legacy.indexOf(offered) + 1)
  return {
    kind: "namesVersions",
    named,
    older: bestLegacy(named, { modern: [], legacy: lower }),
    common: Boolean(bestLegacy(named, candidates) ?? bestModern(named, candidates)),
  }
}
