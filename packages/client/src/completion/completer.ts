import * as Effect from "effect/Effect"
import type { CompletionReference, EntenteError } from "@entente/protocol"
import type { CallOptions } from "../call/call-options.js"
import type { Connection } from "../call/connection.js"
import { typedCall } from "../call/typed-result.js"
import { Suggester, type Entered, type SuggesterOptions, type Suggestions } from "./suggester.js"

export interface CompleterOptions extends SuggesterOptions {
  /** For every request that is made. */
  readonly call?: CallOptions
}

/** Asks one server about the arguments of one prompt or template. */
export const suggesterOf = (
  connection: Connection,
  ref: CompletionReference,
  { call = {}, ...options }: CompleterOptions,
): Suggester =>
  new Suggester(
    ({ name, value, others }, done) => {
      const params = { ref, argument: { name, value }, ...contextOf(name, others) }
      return typedCall(connection, "completion/complete", params, call, (outcome) =>
        done(outcome.ok ? { ok: true, value: outcome.value.completion } : outcome),
      )
    },
    connection.life.timers,
    options,
  )

/** The argument that is being typed has no value yet. */
const contextOf = (typed: string, others: Entered["others"]) => {
  const settled = Object.entries(others ?? {}).filter(([name]) => name !== typed)
  return settled.length === 0 ? {} : { context: { arguments: Object.fromEntries(settled) } }
}

/** Suggestions while somebody fills in a prompt or a resource template. */
export class Completer {
  readonly #suggester: Suggester

  constructor(suggester: Suggester) {
    this.#suggester = suggester
  }

  /**
   * What the server suggests for what stands there now. Undefined where a later question has come meanwhile:
   * then there is nothing to show. Interrupting it cancels the request.
   */
  suggest(entered: Entered): Effect.Effect<Suggestions | undefined, EntenteError> {
    return Effect.callback((resume) => {
      const cancel = this.#suggester.suggest(entered, (outcome) =>
        resume(outcome.ok ? Effect.succeed(outcome.value) : Effect.fail(outcome.error)),
      )
      return Effect.sync(cancel)
    })
  }

  /** Forgets every answer that was kept. */
  clear(): void {
    this.#suggester.clear()
  }
}
