import {
  isJsonObject,
  notifications,
  requests,
  type JsonObject,
  type Sender,
} from "@entente/protocol"

/** Which way a message went, seen from the client. */
export type Direction = "out" | "in"

export const opposite = (direction: Direction): Direction => (direction === "out" ? "in" : "out")

const senders: ReadonlyMap<string, Sender> = new Map(
  [...Object.entries(requests), ...Object.entries(notifications)].map(([method, { sender }]) => [
    method,
    sender,
  ]),
)

/** Which way a message can only have gone, by its method; nothing where both sides may send it. */
export const certainSide = (message: JsonObject): Direction | undefined => {
  const { method } = message
  const sender = typeof method === "string" ? senders.get(method) : undefined
  if (sender === "client") return "out"
  return sender === "server" ? "in" : undefined
}

const isId = (id: unknown): id is string | number =>
  typeof id === "string" || typeof id === "number"

/** Results that only a client gives: to `roots/list`, `elicitation/create`, `sampling/createMessage`. */
const isClientResult = (result: unknown): boolean =>
  isJsonObject(result) &&
  (Array.isArray(result["roots"]) ||
    /^(?:accept|decline|cancel)$/.test(String(result["action"])) ||
    ("model" in result && "role" in result))

/** What of a message counts: the first of a batch stands for all. */
export const firstOf = (message: unknown): JsonObject => {
  const first: unknown = Array.isArray(message) ? message[0] : message
  return isJsonObject(first) ? first : {}
}

/** Follows who asked what, so that an answer without a mark is the other side's. */
export class Sides {
  readonly #asked = {
    out: new Map<string | number, unknown>(),
    in: new Map<string | number, unknown>(),
  }

  /** Which way a message went, as far as it and what came before it tell. */
  of(message: unknown): Direction {
    const first = firstOf(message)
    return certainSide(first) ?? this.#likely(first)
  }

  /** A message went this way. */
  saw(message: unknown, direction: Direction): void {
    for (const each of Array.isArray(message) ? message : [message]) {
      if (!isJsonObject(each) || !isId(each["id"])) continue
      if (typeof each["method"] === "string") this.#asked[direction].set(each["id"], each["method"])
      else this.#asked[opposite(direction)].delete(each["id"])
    }
  }

  /** The method of a request that is still open. */
  methodOf(id: unknown, asker: Direction): string | undefined {
    const method = isId(id) ? this.#asked[asker].get(id) : undefined
    return typeof method === "string" ? method : undefined
  }

  #likely(message: JsonObject): Direction {
    const { method, id, result, params } = message
    if (typeof method !== "string") return this.#answerer(id, result)
    if (method === "notifications/cancelled" && isJsonObject(params)) {
      return this.#isAsked(params["requestId"], "in") && !this.#isAsked(params["requestId"], "out")
        ? "in"
        : "out"
    }
    // Progress of a client's own work is rare.
    return method.startsWith("notifications/") ? "in" : "out"
  }

  #answerer(id: unknown, result: unknown): Direction {
    const [byClient, byServer] = [this.#isAsked(id, "out"), this.#isAsked(id, "in")]
    if (byClient !== byServer) return byClient ? "in" : "out"
    return isClientResult(result) ? "out" : "in"
  }

  #isAsked(id: unknown, asker: Direction): boolean {
    return isId(id) && this.#asked[asker].has(id)
  }
}
