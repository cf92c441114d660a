import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import {
  type CallToolResult,
  type CompleteResult,
  type CompletionReference,
  type Era,
  type GetPromptResult,
  type InputResponses,
  type JsonObject,
  type JsonRpcNotification,
  type LoggingLevel,
  type MirroredParameter,
  type PausedRequest,
  type ReadResourceResult,
  type Root,
  type ServerNotification,
} from "@entente/protocol"
import { http, type Transport } from "@entente/transport"
import type { CallOptions as CoreCallOptions } from "./call/call-options.js"
import * as Core from "./client.js"
import type { LifeState } from "./life/life.js"
import type { ListChange } from "./list/list-change.js"
import { PromiseList } from "./list/promise-list.js"
import { PromiseResourceList } from "./list/promise-resource-list.js"
import type { CountedNote } from "./wire/note-book.js"
import type { ConnectOptions as CoreConnectOptions } from "./options.js"
import type { ServerInfo } from "./server-info.js"
import type { ParamsFor } from "./notification/notices.js"
import type { ListeningState, Subscriptions } from "./subscription/listening.js"
import type { Snapshot, SnapshotOptions as CoreSnapshotOptions } from "./list/snapshot.js"
import type { CapabilityWish } from "./question/capabilities.js"
import { onAbort } from "./call/abort-listeners.js"
import { noOptions } from "./call/call-options.js"
import { aborted, iterate, run, type Abortable } from "./promise-run.js"
import type { Cancel } from "./call/call.js"
import type { MultiRoundMethod } from "./rounds/pause.js"
import type { ResumeOptions } from "./rounds/resume.js"
import { isResultSchema, type ResultSchema } from "./call/standard-schema.js"
import type { TypedMethod } from "./call/typed-method.js"
import { typedCall, type Typed, type TypedResults } from "./call/typed-result.js"
import type { CompleteParams } from "./completion/complete-params.js"
import type { CompleterOptions } from "./completion/completer.js"
import { PromiseCompleter } from "./completion/promise-completer.js"
import { PromiseTasks } from "./task/promise-tasks.js"

export type CallOptions = CoreCallOptions & Abortable
export type SnapshotOptions = CoreSnapshotOptions & Abortable
export type ConnectOptions = CoreConnectOptions & Abortable

/** One MCP server, for callers without Effect. Made by `connect`; it wants to be closed. */
export class PromiseClient implements AsyncDisposable {
  readonly tools: PromiseList<"tools/list">
  readonly prompts: PromiseList<"prompts/list">
  readonly resources: PromiseResourceList
  readonly tasks: PromiseTasks
  readonly #core: Core.Client
  readonly #scope: Scope.Closeable

  constructor(core: Core.Client, scope: Scope.Closeable) {
    this.#core = core
    this.#scope = scope
    this.tools = new PromiseList(core.tools, core.target)
    this.prompts = new PromiseList(core.prompts, core.target)
    this.resources = new PromiseResourceList(core.resources, core.target)
    this.tasks = new PromiseTasks(core.tasks, core.target)
  }

  get target(): string {
    return this.#core.target
  }

  get transport(): string {
    return this.#core.transport
  }

  get era(): Era {
    return this.#core.era
  }

  get protocolVersion(): string {
    return this.#core.protocolVersion
  }

  get server(): ServerInfo {
    return this.#core.server
  }

  get capabilities(): JsonObject {
    return this.#core.capabilities
  }

  /** What this client declares, changed for one call to a modern server: for its option `capabilities`. */
  declaring(wish: CapabilityWish): JsonObject {
    return this.#core.declaring(wish)
  }

  get instructions(): string | undefined {
    return this.#core.instructions
  }

  get notes(): ReadonlyArray<CountedNote> {
    return this.#core.notes
  }

  get state(): LifeState {
    return this.#core.state
  }

  get listening(): ListeningState {
    return this.#core.listening
  }

  /** Hears every notification of the server; the function returned stops it. */
  onNotification(listener: (notification: JsonRpcNotification) => void): () => void {
    return this.#core.connection.life.notified.add(listener)
  }

  /**
   * The changes of all lists that the server offers, from now on, until the loop is left or `signal` aborts. The
   * server is listened to for it, also with `listen: false`.
   *
   * @example
   * for await (const { list, added, removed, changed } of client.changes()) ask(list, changed)
   */
  changes({ signal }: Abortable = {}): AsyncIterable<ListChange> {
    return iterate(this.#core.changes, signal, this.target, "changes")
  }

  /** What the server was asked to tell of by itself, and what it agreed to. */
  get subscriptions(): Subscriptions {
    return this.#core.subscriptions
  }

  /**
   * Hears the params of every notification of one method, in order; the function returned stops it. Those of
   * a known method are checked: what is not of its shape is noted and not told.
   *
   * @example
   * client.on("notifications/message", ({ level, data }) => console.log(level, data))
   */
  on<Method extends ServerNotification | (string & {})>(
    method: Method,
    listener: (params: ParamsFor<Method>) => void,
  ): () => void {
    return this.#core.on(method, listener)
  }

  /** Hears whenever `listening` changes; the function returned stops it. */
  onListening(listener: (state: ListeningState) => void): () => void {
    return this.#core.connection.life.listening.changed.add(listener)
  }

  /** Hears every change of state; the function returned stops it. */
  onState(listener: (state: LifeState) => void): () => void {
    return this.#core.connection.life.stateChanged.add(listener)
  }

  /** Hears the ids of pages that a legacy server calls completed; the function returned stops it. */
  onPageCompleted(listener: (elicitationId: string) => void): () => void {
    return this.#core.connection.life.questions.completed.add(listener)
  }

  /** Says that what the handler of roots gives is another list from now on; see `Handlers`. */
  rootsChanged(): Promise<void> {
    return run(this.#core.roots.changed, undefined, this.target, "roots")
  }

  /** Puts other roots in the place of those that connect was given, and tells the server. */
  setRoots(roots: ReadonlyArray<Root>): Promise<void> {
    return run(this.#core.roots.set(roots), undefined, this.target, "roots")
  }

  callTool(params: Core.CallToolParams, options?: CallOptions): Promise<CallToolResult> {
    return this.#call("tools/call", params, options)
  }

  /** The arguments of a tool that leave as HTTP headers as well, as the newest listing says (V26-XHDR-18). */
  mirroredArguments(tool: string): ReadonlyArray<MirroredParameter> {
    return this.#core.mirroredArguments(tool)
  }

  getPrompt(params: Core.GetPromptParams, options?: CallOptions): Promise<GetPromptResult> {
    return this.#call("prompts/get", params, options)
  }

  readResource(
    params: Core.ReadResourceParams,
    options?: CallOptions,
  ): Promise<ReadResourceResult> {
    return this.#call("resources/read", params, options)
  }

  /** Suggestions for an argument of a prompt or a resource template, once; see `completer`. */
  complete(params: CompleteParams, options?: CallOptions): Promise<CompleteResult> {
    return this.#call("completion/complete", params, options)
  }

  /**
   * Suggestions while somebody types: waits for a pause, keeps answers, and only the latest question counts.
   *
   * @example
   * const completer = client.completer({ type: "ref/prompt", name: "review" })
   * const found = await completer.suggest({ name: "language", value: "py" })
   * if (found !== undefined) show(found.values)
   */
  completer(ref: CompletionReference, options: CompleterOptions = {}): PromiseCompleter {
    return new PromiseCompleter(this.#core.completer(ref, options), this.target)
  }

  /**
   * Resolves if the server answers: a legacy one to `ping`, a modern one, which has none, to
   * `server/discover`. One that does not know the method has answered as well.
   */
  ping({ signal, ...options }: CallOptions = {}): Promise<void> {
    return run(this.#core.ping(options), signal, this.target, "ping")
  }

  /**
   * Which log messages are to come, from this level of severity on; undefined for none. A legacy server is told
   * now, and again after every recovery; in the modern era each later request asks for them, unless its own
   * `logLevel` says otherwise.
   */
  setLogLevel(
    level: LoggingLevel | undefined,
    { signal, ...options }: CallOptions = {},
  ): Promise<void> {
    return run(this.#core.setLogLevel(level, options), signal, this.target, "setLogLevel")
  }

  /**
   * Goes on with a request that was paused because the server asked for input: with the pause of an
   * `InputRequired`, or with what its `serialize` gave, in this process or another.
   */
  resume<Method extends MultiRoundMethod = "tools/call">(
    pause: PausedRequest | string,
    responses: InputResponses,
    { signal, ...options }: ResumeOptions<Method> & Abortable = {},
  ): Promise<TypedResults[Method]> {
    const what = options.method ?? "tools/call"
    return run(this.#core.resume(pause, responses, options), signal, this.target, what)
  }

  /** Any request, with the result as the server sent it. */
  request(method: string, params?: JsonObject, options?: CallOptions): Promise<JsonObject>
  /**
   * Any request, with its result read by a schema of Effect or of any library that speaks Standard Schema
   * (zod, valibot, …). A result that does not fit rejects with `ProtocolViolation`.
   *
   * @example
   * const { celsius } = await client.request("weather/now", {}, z.object({ celsius: z.number() }))
   */
  request<A>(
    method: string,
    params: JsonObject | undefined,
    schema: ResultSchema<A>,
    options?: CallOptions,
  ): Promise<A>
  request(
    method: string,
    params?: JsonObject,
    third?: ResultSchema<unknown> | CallOptions,
    fourth?: CallOptions,
  ): Promise<unknown> {
    if (!isResultSchema(third)) return this.#request(method, params, third)
    const { signal, ...options } = fourth ?? {}
    const read = this.#core.request(method, params, third, options)
    return run(read, signal, this.target, method)
  }

  #request(
    method: string,
    params?: JsonObject,
    options: CallOptions = noOptions,
  ): Promise<JsonObject> {
    return this.#settled(method, options, (coreOptions, done) =>
      this.#core.connection.call(method, params, coreOptions, (outcome) =>
        done(outcome.ok ? { ok: true, value: outcome.result } : outcome),
      ),
    )
  }

  /**
   * The structured content of a tool's result, read by a schema of Effect or of any library that speaks
   * Standard Schema. Rejects where there is none, or where it does not fit.
   *
   * @example
   * const { celsius } = await client.readStructured(result, z.object({ celsius: z.number() }))
   */
  readStructured<A>(result: CallToolResult, schema: ResultSchema<A>): Promise<A> {
    return run(this.#core.readStructured(result, schema), undefined, this.target, "tools/call")
  }

  snapshot({ signal, ...options }: SnapshotOptions = {}): Promise<Snapshot> {
    return run(this.#core.snapshot(options), signal, this.target, "snapshot")
  }

  /** Ends the session, the streams and the process. */
  close(): Promise<void> {
    return Effect.runPromise(Scope.close(this.#scope, Exit.void))
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #call<Method extends TypedMethod>(
    method: Method,
    params: object,
    options: CallOptions = noOptions,
  ): Promise<TypedResults[Method]> {
    const { connection } = this.#core
    return this.#settled(method, options, (coreOptions, done) =>
      typedCall(connection, method, params, coreOptions, done),
    )
  }

  /** Straight from the request table to the promise: no fiber is started for a call. */
  #settled<A>(
    method: string,
    options: CallOptions,
    start: (options: CoreCallOptions, done: (outcome: Typed<A>) => void) => Cancel,
  ): Promise<A> {
    const { signal } = options
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(aborted(method, this.target, signal))
      let settled = false
      let release = nothing
      const cancel = start(options, (outcome) => {
        settled = true
        release()
        if (outcome.ok) return resolve(outcome.value)
        const { error } = outcome
        const byCaller = signal?.aborted === true && error._tag === "RequestAborted"
        reject(byCaller ? aborted(method, this.target, signal) : error)
      })
      if (settled || signal === undefined) return
      release = onAbort(signal, () => cancel(tellable(signal.reason)))
    })
  }
}

const nothing = (): void => {}

/** Why a call is cancelled, for the server: a text was meant to be read, an error may say more than it should. */
const tellable = (reason: unknown): string | undefined =>
  typeof reason === "string" ? reason.slice(0, 200) : undefined

/**
 * Connects to a server and agrees on a protocol with it. A string or URL means `http`: Streamable
 * HTTP, with the HTTP+SSE of older servers as its fallback. Rejects
 * with one of the errors of `EntenteError`.
 *
 * @example
 * await using client = await connect("https://example.com/mcp")
 * for await (const tool of client.tools.all()) console.log(tool.name)
 */
export const connect = async (
  target: Transport | URL | string,
  { signal, ...options }: ConnectOptions = {},
): Promise<PromiseClient> => {
  const transport = typeof target === "string" || target instanceof URL ? http(target) : target
  const scope = Scope.makeUnsafe()
  const opened = Core.connect(transport, options).pipe(
    Scope.provide(scope),
    Effect.onExit((exit) => (Exit.isFailure(exit) ? Scope.close(scope, exit) : Effect.void)),
  )
  const core = await run(opened, signal, transport.target, "connect")
  return new PromiseClient(core, scope)
}
