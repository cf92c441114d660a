import * as Effect from "effect/Effect"
import type { EntenteError, ReadResourceResult } from "@entente/protocol"
import type { AcknowledgedFilter } from "@entente/session"
import type { CallOptions } from "../call/call-options.js"
import type { Connection } from "../call/connection.js"
import { decodeResult, typedResult } from "../call/typed-result.js"
import type { KeptResults } from "./kept-results.js"

export interface ReadResourceParams {
  readonly uri: string
}

export interface ReadResourceOptions extends CallOptions {
  /** Asks the server, also where what it said before is still fresh. */
  readonly refresh?: boolean
}

const method = "resources/read"

/**
 * Reads resources of a modern server, and keeps what it says may be used again, by URI. A result that came
 * after the server had asked for something is never kept (V26-CACHE-07, V26-MRTR-20); one that cannot be had
 * again is an error, whatever was kept of it.
 */
export class ResourceReads {
  readonly #connection: Connection
  readonly #results: KeptResults

  constructor(connection: Connection) {
    const { life, notices } = connection
    this.#connection = connection
    this.#results = connection.results.of(method)
    notices.on("notifications/resources/updated", ({ uri }) => this.#results.discard(uri))
    life.notified.add((notification) => {
      if (notification.method === "notifications/resources/list_changed") this.#results.discard()
    })
    life.interrupted.add(() => this.#results.doubt())
    life.missed.add((covered) => {
      if (speaksOfResources(covered)) this.#results.doubt()
    })
  }

  /** Whether a read has anything to do with what is kept; all others take the straight way. */
  concern(params: ReadResourceParams): boolean {
    // With anything else in it, it may be another request, or one of a conversation (V26-CACHE-06).
    const isPlain = typeof params.uri === "string" && Object.keys(params).length === 1
    return isPlain && this.#connection.life.agreement.era === "modern"
  }

  read(
    params: ReadResourceParams,
    options: ReadResourceOptions = {},
  ): Effect.Effect<ReadResourceResult, EntenteError> {
    const { refresh = false, ...callOptions } = options
    return Effect.suspend(() => {
      if (!this.concern(params)) return typedResult(this.#connection, method, params, callOptions)
      const asking = this.#results.asking({ uri: params.uri }, callOptions)
      const asked = Effect.suspend(() => {
        let conversed = false
        const extras = { ...callOptions, conversed: () => void (conversed = true) }
        return Effect.map(typedResult(this.#connection, method, params, extras), (result) => {
          if (!conversed) asking.keep({ ...result })
          return result
        })
      })
      if (refresh) return asked
      return Effect.flatMap(asking.kept, (kept) => {
        if (kept === undefined) return asked
        const decoded = decodeResult(this.#connection, method, kept.result)
        if (decoded.ok) return Effect.succeed(decoded.value)
        asking.drop(decoded.error.message)
        return asked
      })
    })
  }
}

const speaksOfResources = (covered: AcknowledgedFilter): boolean =>
  covered === "everything" ||
  covered.resourcesListChanged === true ||
  (covered.resourceSubscriptions ?? []).length > 0
