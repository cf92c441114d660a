import { isJsonObject, isTolerance, observations, type Note } from "@entente/protocol"
import type { Origin, SendOutcome, StreamEnd, StreamPosition } from "../transport.js"
import { errorOf, transportErrorOf } from "./error-record.js"
import type { Renaming } from "./renaming.js"

/** Stand-ins of secrets as header values: visible ASCII, as a session id has to be (V25-HTTP-28). */
export const legible = (headers: NonNullable<Origin["headers"]>): NonNullable<Origin["headers"]> =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      value.replaceAll(/‹redacted(?: (\d+))?›/g, (_, number?: string) =>
        number === undefined ? "redacted" : `redacted-${number}`,
      ),
    ]),
  )

export const noteOf = (code: string, detail: string): Note =>
  isNoteCode(code) ? { code, detail } : { code: "recording-damaged", detail: `${code}: ${detail}` }

const isNoteCode = (code: string): code is Note["code"] =>
  isTolerance(code as Note["code"]) || Object.hasOwn(observations, code) // only asked for its membership

const isTexts = (value: unknown): boolean =>
  isJsonObject(value) && Object.values(value).every((member) => typeof member === "string")

/** Whether a value has what its tag promises: a trace may have been edited. */
const isOutcome = (value: unknown): value is SendOutcome => {
  if (!isJsonObject(value)) return false
  const { rejection } = value
  switch (value["_tag"]) {
    case "Written":
    case "Aborted":
      return true
    case "Ended":
      return typeof value["status"] === "number" && typeof value["messages"] === "number"
    case "Failed":
      return typeof value["mayHaveArrived"] === "boolean"
    case "Rejected":
      return (
        isJsonObject(rejection) &&
        typeof rejection["status"] === "number" &&
        typeof rejection["text"] === "string" &&
        isTexts(rejection["headers"])
      )
    default:
      return false
  }
}

/** An outcome as the channel told it; what cannot be read as one is an answer that broke off. */
export const outcomeOf = (recorded: unknown, target: string, renaming: Renaming): SendOutcome => {
  if (!isOutcome(recorded)) {
    return { _tag: "Failed", error: errorOf(undefined, target), mayHaveArrived: true }
  }
  const { position, ...outcome } = { position: undefined, ...recorded }
  return { ...valuesOf(outcome, target, renaming), ...positionOf(position) }
}

const valuesOf = (outcome: SendOutcome, target: string, renaming: Renaming): SendOutcome => {
  switch (outcome._tag) {
    case "Failed":
      return { ...outcome, error: errorOf(outcome.error, target) }
    case "Rejected": {
      const { status, headers, text, json } = outcome.rejection
      const rejection = { status, headers: legible(headers), text, json: renaming.apply(json) }
      return { ...outcome, rejection }
    }
    default:
      return outcome
  }
}

const isPosition = (value: unknown): value is StreamPosition =>
  isJsonObject(value) && isTexts(value["headers"])

const positionOf = (value: unknown): { readonly position?: StreamPosition } =>
  isPosition(value)
    ? {
        position: {
          lastEventId: value.lastEventId,
          retryMs: value.retryMs,
          headers: legible(value.headers),
        },
      }
    : {}

/** How a stream ended; what cannot be read as such an end is a stream that was never there. */
export const streamEndOf = (recorded: unknown, target: string, renaming: Renaming): StreamEnd => {
  const tag = isJsonObject(recorded) ? recorded["_tag"] : undefined
  if (!isJsonObject(recorded) || (tag !== "Dropped" && tag !== "NoStream")) {
    const outcome = outcomeOf(recorded, target, renaming)
    if (outcome._tag === "Rejected") return outcome
    return outcome._tag === "Failed"
      ? { _tag: "Failed", error: outcome.error, mayHaveArrived: outcome.mayHaveArrived }
      : { _tag: "Failed", error: errorOf(undefined, target), mayHaveArrived: true }
  }
  const { error } = recorded
  if (tag === "NoStream") return { _tag: "NoStream", error: transportErrorOf(error, target) }
  const { position = { lastEventId: undefined, retryMs: undefined, headers: {} } } = positionOf(
    recorded["position"],
  )
  return {
    _tag: "Dropped",
    position,
    ...(error === undefined ? {} : { error: errorOf(error, target) }),
  }
}
