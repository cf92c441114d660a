import type * as Effect from "effect/Effect"
import type { EntenteError, JsonObject } from "@entente/protocol"
import { call, type CallOutcome, type Cancel } from "./call.js"
import type { CallExtras, CallOptions } from "./call-options.js"
import type { Life } from "../life/life.js"
import { Notices } from "../notification/notices.js"
import { callMirrored } from "../mirror/call-mirrored.js"
import { MirroredTools } from "../mirror/mirrored-tools.js"
import type { NoteBook } from "../wire/note-book.js"
import type { ConnectOptions, ListBounds } from "../options.js"
import { OutputSchemas } from "../output-schema/output-schemas.js"
import { RunningTasks } from "../task/running-tasks.js"
import { inSpan } from "../telemetry/in-span.js"
import { aroundCalls, type CallThrough } from "../middleware/around-calls.js"
import { namingOf } from "../offer/naming.js"
import { OfferedCalls } from "../offer/offered-calls.js"
import { callEffect } from "./call-effect.js"
import { ResultCache } from "../cache/result-cache.js"

/** What lists and typed calls need of a connection. */
export class Connection {
  readonly life: Life
  readonly lists: ListBounds
  /** What the server says by itself, by method. */
  readonly notices: Notices
  /** Which arguments of which tools leave as headers. */
  readonly mirrored: MirroredTools
  readonly outputSchemas: OutputSchemas
  /** The way of calls that name something the server may not have any more. */
  readonly offered: OfferedCalls
  /** The tasks that are watched. */
  readonly tasks: RunningTasks
  /** What a modern server said that may be used again. */
  readonly results: ResultCache
  /** The way to the server: straight, or through the layers of middleware, where there are any around calls. */
  readonly #send: CallThrough

  constructor(life: Life, { lists = {}, outputSchemas, cache }: ConnectOptions) {
    this.life = life
    this.lists = lists
    this.notices = new Notices(life)
    this.mirrored = new MirroredTools(life, lists.maxItems)
    this.outputSchemas = new OutputSchemas(life.notes, life.target, outputSchemas)
    this.tasks = new RunningTasks(this)
    this.results = new ResultCache(life, cache)
    const straight: CallThrough = (method, params, options, done) =>
      this.#straight(method, params, options, done)
    this.#send = aroundCalls(life, straight) ?? straight
    this.offered = new OfferedCalls(life, this.mirrored, this.#send)
  }

  get target(): string {
    return this.life.target
  }

  get notes(): NoteBook {
    return this.life.notes
  }

  /** The capability that a method needs and the server did not declare. */
  missing(method: string): string | undefined {
    return this.life.missing(method)
  }

  /** The door of callbacks, which the other two are made of. */
  call(
    method: string,
    params: JsonObject | undefined,
    options: CallExtras,
    done: (outcome: CallOutcome) => void,
  ): Cancel {
    const threaded = this.threaded(options)
    const naming = namingOf(method)
    return naming === undefined
      ? this.#send(method, params, threaded, done)
      : this.offered.make(naming, method, params, threaded, done)
  }

  #straight(
    method: string,
    params: JsonObject | undefined,
    options: CallExtras,
    done: (outcome: CallOutcome) => void,
  ): Cancel {
    const { life, mirrored: tools } = this
    return method === "tools/call" && tools.active
      ? callMirrored({ life, tools, params, options }, done)
      : call(life, method, params, options, done)
  }

  /** A request as an Effect; interrupting it reaches the wire at once. */
  request(
    method: string,
    params: JsonObject | undefined,
    options: CallOptions = {},
  ): Effect.Effect<JsonObject, EntenteError> {
    return this.inSpan(options, (spanned) =>
      callEffect((done) => this.call(method, params, spanned, done)),
    )
  }

  /** The options of a call as part of a trace; where nobody is told of it, as they are. */
  threaded(options: CallExtras): CallExtras {
    const { telemetry } = this.life
    return telemetry === undefined ? options : telemetry.threaded(options)
  }

  /** Runs an effect as part of the span that it is run in. */
  inSpan<A, E>(
    options: CallExtras,
    run: (options: CallExtras) => Effect.Effect<A, E>,
  ): Effect.Effect<A, E> {
    return inSpan(this.life.telemetry, options, run)
  }
}
