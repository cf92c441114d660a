import * as Effect from "effect/Effect"
import {
  CapabilityMissing,
  explain,
  missingCapability,
  type EntenteError,
  type LoggingLevel,
} from "@entente/protocol"
import type { Agreement } from "@entente/session"
import type { CallOptions } from "../call/call-options.js"
import { logLevelFault, refusedInput } from "../call/request-options.js"
import type { Connection } from "../call/connection.js"

const method = "logging/setLevel"

/** A legacy server cannot be told to be quiet; this is as near as it gets. */
const quietest: LoggingLevel = "emergency"

/**
 * Which log messages the server is to send, in both eras: a legacy server is told, and told again after its
 * session or connection was renewed (V25-LOG-04); to a modern one every later request says so (V26-LOG-01).
 */
export class LogLevel {
  readonly #connection: Connection
  /** Where a legacy server was told; it knows no longer than that holds. */
  #toldIn: Agreement | undefined
  #telling = 0

  constructor(connection: Connection) {
    this.#connection = connection
    connection.life.recovered.add(() => this.#restoreIfLost())
  }

  set(
    level: LoggingLevel | undefined,
    options: CallOptions = {},
  ): Effect.Effect<void, EntenteError> {
    return Effect.suspend((): Effect.Effect<void, EntenteError> => {
      const { life, target } = this.#connection
      const fault = level === undefined ? undefined : logLevelFault(level)
      if (fault !== undefined) return Effect.fail(refusedInput("setLogLevel", fault, target))
      const { era, revision } = life.agreement
      // A capability to log is one to be asked for it, in either era.
      const missing = missingCapability("notifications/message", revision, life.capabilities)
      if (missing !== undefined && level !== undefined) return Effect.fail(this.#refusal(missing))
      const wanted = level ?? "none"
      return era === "modern" || missing !== undefined
        ? Effect.sync(() => void (life.logs.wanted = wanted))
        : this.#tell(level ?? quietest, wanted, options)
    })
  }

  #refusal(capability: string): CapabilityMissing {
    const what = `setLogLevel needs the capability "${capability}", which the server did not declare.`
    const fields = explain("capability-missing", "request", this.#connection.target, what)
    return new CapabilityMissing({ ...fields, method, capability })
  }

  #tell(
    level: LoggingLevel,
    wanted: LoggingLevel | "none",
    options: CallOptions,
  ): Effect.Effect<void, EntenteError> {
    const { life } = this.#connection
    // Twice is as good as once, so that a loss on the way costs nobody anything.
    const asking = this.#connection.request(method, { level }, { replay: true, ...options })
    const telling = Effect.tap(asking, () =>
      Effect.sync(() => {
        life.logs.wanted = wanted
        this.#toldIn = life.agreement
      }),
    )
    return Effect.suspend(() => {
      this.#telling++
      return Effect.ensuring(
        Effect.asVoid(telling),
        Effect.sync(() => {
          this.#telling--
          this.#restoreIfLost()
        }),
      )
    })
  }

  /** The server, or the session, is another one than the one that was told. */
  #restoreIfLost(): void {
    const { life, notes } = this.#connection
    const { wanted } = life.logs
    if (wanted === undefined || this.#toldIn === life.agreement) return
    // What is being told already will be known there.
    if (this.#telling > 0 || life.ended || life.agreement.era === "modern") return
    if (wanted === "none" && life.missing(method) !== undefined) return
    this.#toldIn = life.agreement
    const level = wanted === "none" ? quietest : wanted
    life.background(
      Effect.matchEffect(this.#connection.request(method, { level }, { replay: true }), {
        onSuccess: () => Effect.void,
        onFailure: ({ message }) =>
          Effect.sync(() => notes.add({ code: "log-level-lost", detail: message })),
      }),
    )
  }
}
