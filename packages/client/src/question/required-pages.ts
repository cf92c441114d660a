import * as Effect from "effect/Effect"
import {
  UrlElicitationRequired,
  rpcCode,
  validateTolerantly,
  type JsonRpcErrorObject,
  type LegacyRevision,
  type TolerancePolicy,
} from "@entente/protocol"
import type { Questions } from "./questions.js"

/** More pages than this for one request are nobody's business; the error surfaces as it is. */
const mostPages = 16

/**
 * The consent that an error asks for: pages to be opened before the request is made again. Nothing where
 * the error asks for none, or nobody is there to give any, so that it stays an ordinary error
 * (V25-ELI-13, trap 39).
 */
export const consentTo = (
  { code, data }: JsonRpcErrorObject,
  revision: LegacyRevision,
  questions: Questions,
  policy: TolerancePolicy,
): Effect.Effect<boolean> | undefined => {
  if (code !== rpcCode.urlElicitationRequired || !questions.opensPages) return undefined
  const read = validateTolerantly(UrlElicitationRequired, data, policy)
  if (!read.ok) return undefined
  const { elicitations } = read.value
  if (elicitations.length === 0 || elicitations.length > mostPages) return undefined
  const method = "elicitation/create"
  const agreed = Effect.forEach(elicitations, (params) =>
    Effect.flatMap(
      questions.answer({ method, params }, { era: "legacy", revision, blocked: true }),
      // One no is enough: the request would be refused again.
      (answer) =>
        "action" in answer && answer.action === "accept" ? Effect.void : Effect.fail(undefined),
    ),
  )
  return Effect.match(agreed, { onSuccess: () => true, onFailure: () => false })
}
