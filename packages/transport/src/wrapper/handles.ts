import { isJsonObject, metaKey, type JsonObject } from "@entente/protocol"
import { redactHeaders, redactMessage, StandIns, type RedactionPolicy } from "@entente/trace"

/** Members that one side hands out and the other gives back; by them a replay is followed. */
const handles: ReadonlySet<string> = new Set([
  "cursor",
  "nextCursor",
  "requestState",
  "requestId",
  "progressToken",
  "taskId",
  "elicitationId",
  metaKey.subscriptionId,
])

const sessionHeader = "mcp-session-id"

type Headers = Readonly<Record<string, string>>

/**
 * Replaces the handles that redaction would hide by numbered stand-ins: a secret cursor stays one that
 * is told from the next, and the same in the request that gives it back. Everything else is left to
 * redaction, and handles that are no secret stay what they are.
 */
export class Handles {
  readonly #standIns = new StandIns()
  readonly #policy: RedactionPolicy

  constructor(policy: RedactionPolicy) {
    this.#policy = policy
  }

  inMessage(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((member) => this.inMessage(member))
    if (!isJsonObject(value)) return value
    const copy = this.#members(
      value,
      (name) => name === "id" || name === "params" || name === "result",
    )
    return copy
  }

  /** The session id is the one header that comes back (V25-HTTP-29). */
  inHeaders(headers: Headers): Headers {
    const id = headers[sessionHeader]
    return id === undefined ||
      redactHeaders({ [sessionHeader]: id }, this.#policy)[sessionHeader] === id
      ? headers
      : { ...headers, [sessionHeader]: this.#standIns.of(id) }
  }

  /** Looks into the members that may hold handles: the envelope, its params or result, and their `_meta`. */
  #members(object: JsonObject, mayHold: (name: string) => boolean): JsonObject {
    let copy: Record<string, unknown> | undefined
    for (const name of Object.keys(object)) {
      const before = object[name]
      const after = mayHold(name) ? this.#below(name, before) : before
      if (after !== before) (copy ??= { ...object })[name] = after
    }
    return copy ?? object
  }

  #below(name: string, value: unknown): unknown {
    if (typeof value === "string")
      return this.#isHidden(name, value) ? this.#standIns.of(value) : value
    if (!isJsonObject(value)) return value
    return this.#members(value, (member) => handles.has(member) || inner.has(member))
  }

  #isHidden(name: string, value: string): boolean {
    const safe = redactMessage({ [name]: value }, this.#policy)
    return isJsonObject(safe) && safe[name] !== value
  }
}

/** Members of params and results in which handles stand too. */
const inner: ReadonlySet<string> = new Set(["_meta", "task"])
