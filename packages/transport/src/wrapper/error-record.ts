import {
  AuthorizationRequired,
  explain,
  HttpRejected,
  InvalidInput,
  isJsonObject,
  ProcessExited,
  ProtocolViolation,
  ReplayDiverged,
  SpawnFailed,
  Unreachable,
  type JsonObject,
  type TransportError,
} from "@entente/protocol"

/** What a channel can fail with. */
export type ChannelError = TransportError | InvalidInput

/** An error of the tagged classes as a plain object; the cause is reduced to its words, the stack left out. */
export const errorRecord = (error: ChannelError): JsonObject => {
  const { _tag, message, cause, ...fields } = error
  return {
    _tag,
    message,
    ...fields,
    ...(cause === undefined
      ? {}
      : { cause: cause instanceof Error ? cause.message : String(cause) }),
  }
}

const classes = {
  AuthorizationRequired,
  HttpRejected,
  InvalidInput,
  ProcessExited,
  ProtocolViolation,
  ReplayDiverged,
  SpawnFailed,
  Unreachable,
} as const satisfies Record<ChannelError["_tag"], unknown>

const isKnown = (tag: unknown): tag is keyof typeof classes =>
  typeof tag === "string" && Object.hasOwn(classes, tag)

/**
 * The error that an `errorRecord` was made of, of the same class and with the same fields. What cannot
 * be read as one, because the trace was edited or is newer, is a server out of reach that says so.
 */
export const errorOf = (record: unknown, target: string): ChannelError => {
  if (isJsonObject(record) && isKnown(record["_tag"]) && typeof record["message"] === "string") {
    const { _tag, cause, ...fields } = record
    // What a recorder wrote of a class is what the class is made of; the tag says which.
    const Recorded = classes[_tag as ChannelError["_tag"]] as new (fields: object) => ChannelError
    return new Recorded(
      cause === undefined ? fields : { ...fields, cause: new Error(String(cause)) },
    )
  }
  const what = "The recording has an error here that this version does not know."
  return new Unreachable(explain("unreachable", "request", target, what))
}

/** The same where only what a server, a process or a network does can be meant. */
export const transportErrorOf = (record: unknown, target: string): TransportError => {
  const error = errorOf(record, target)
  if (error._tag !== "InvalidInput") return error
  return new Unreachable({
    ...explain("unreachable", "request", target, error.message),
    cause: error,
  })
}
