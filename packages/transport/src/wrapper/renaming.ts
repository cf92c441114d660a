import { isJsonObject, metaKey, type JsonObject, type RequestId } from "@entente/protocol"

/** The token by which a message asks for progress. */
const progressTokenOf = (message: unknown): unknown => {
  const params = isJsonObject(message) ? message["params"] : undefined
  const meta = isJsonObject(params) ? params["_meta"] : undefined
  return isJsonObject(meta) ? meta["progressToken"] : undefined
}

const isName = (value: unknown): value is RequestId =>
  typeof value === "string" || typeof value === "number"

/** The names of one side: what a recorded one is called in the replay. */
class Names {
  readonly #names = new Map<RequestId, RequestId>()

  learn(recorded: unknown, actual: unknown): void {
    if (isName(recorded) && isName(actual)) this.#names.set(recorded, actual)
  }

  /** A server may give a number back as its decimal text (C053); then that is done here as well. */
  of(recorded: unknown): unknown {
    if (!isName(recorded)) return recorded
    const actual = this.#names.get(recorded)
    if (actual !== undefined || typeof recorded === "number") return actual ?? recorded
    const number = /^(?:0|[1-9]\d{0,15})$/.test(recorded)
      ? this.#names.get(Number(recorded))
      : undefined
    return number === undefined ? recorded : String(number)
  }
}

/**
 * Puts the ids and tokens of the client that is there into messages that were recorded for another: ids
 * of answers, progress tokens, the request that a cancellation names, the id of a subscription.
 */
export class Renaming {
  readonly #ids = new Names()
  readonly #tokens = new Names()
  /** Ids of the server's own requests; a cancellation of the server may mean one of them. */
  readonly #serverIds = new Set<unknown>()

  /** A message of the client was found to be this one of the recording. */
  learn(recorded: unknown, actual: unknown): void {
    if (!isJsonObject(recorded) || !isJsonObject(actual) || !("method" in recorded)) return
    this.#ids.learn(recorded["id"], actual["id"])
    this.#tokens.learn(progressTokenOf(recorded), progressTokenOf(actual))
  }

  /** A recorded message of the server as this client has to see it. */
  apply(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((member) => this.apply(member))
    if (!isJsonObject(value)) return value
    if (!("method" in value)) return this.#answer(value)
    if ("id" in value) this.#serverIds.add(value["id"])
    const params = value["params"]
    return isJsonObject(params)
      ? { ...value, params: this.#params(value["method"], params) }
      : value
  }

  #answer(answer: JsonObject): JsonObject {
    const { result } = answer
    return {
      ...answer,
      ...("id" in answer ? { id: this.#ids.of(answer["id"]) } : {}),
      ...(isJsonObject(result) ? { result: this.#meta(result) } : {}),
    }
  }

  #params(method: unknown, params: JsonObject): JsonObject {
    const renamed = this.#meta(params)
    if (method === "notifications/progress" && "progressToken" in params) {
      return { ...renamed, progressToken: this.#tokens.of(params["progressToken"]) }
    }
    const cancels = method === "notifications/cancelled" && "requestId" in params
    return cancels && !this.#serverIds.has(params["requestId"])
      ? { ...renamed, requestId: this.#ids.of(params["requestId"]) }
      : renamed
  }

  #meta(object: JsonObject): JsonObject {
    const meta = object["_meta"]
    if (!isJsonObject(meta) || !(metaKey.subscriptionId in meta)) return object
    const id = this.#ids.of(meta[metaKey.subscriptionId])
    return { ...object, _meta: { ...meta, [metaKey.subscriptionId]: id } }
  }
}
