import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import {
  RequestAborted,
  explain,
  type CallToolResult,
  type EntenteError,
  type Era,
  type GetPromptResult,
  type InputResponses,
  type ItemOf,
  type JsonObject,
  type JsonRpcNotification,
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
import { itemsOfPages } from "./list/items-of-pages.js"
import type {
  List,
  ListMethod,
  ListOptions as CoreListOptions,
  ListPage,
  Listing,
} from "./list/list.js"
import type { CountedNote } from "./wire/note-book.js"
import type { ConnectOptions as CoreConnectOptions } from "./options.js"
import type { ServerInfo } from "./server-info.js"
import type { ParamsFor } from "./notification/notices.js"
import type { ListeningState, Subscriptions } from "./subscription/listening.js"
import type {
  ResourceSubscriptions,
  ResourceUpdated,
} from "./subscription/resource-subscriptions.js"
import type { Snapshot, SnapshotOptions as CoreSnapshotOptions } from "./list/snapshot.js"
import type { CapabilityWish } from "./question/capabilities.js"
import { onAbort } from "./call/abort-listeners.js"
import type { Cancel } from "./call/call.js"
import type { MultiRoundMethod } from "./rounds/pause.js"
import type { ResumeOptions } from "./rounds/resume.js"
import { isResultSchema, type ResultSchema } from "./call/standard-schema.js"
import {
  converseTyped,
  type Typed,
  type TypedMethod,
  type TypedResults,
} from "./call/typed-result.js"

interface Abortable {
  /** Cancels what it is given to; the promise rejects with `RequestAborted`. */
  readonly signal?: AbortSignal
}

export type CallOptions = CoreCallOptions & Abortable
export type ListOptions = CoreListOptions & Abortable
export type SnapshotOptions = CoreSnapshotOptions & Abortable
export type ConnectOptions = CoreConnectOptions & Abortable

/** One kind of list, for callers without Effect. */
export class PromiseList<Method extends ListMethod> {
  readonly #list: List<Method>
  readonly #target: string

  constructor(list: List<Method>, target: string) {
    this.#list = list
    this.#target = target
  }

  /** The last listing that had items to show, also while a new one is read or fails. */
  get last(): Listing<ItemOf<Method>> | undefined {
    return this.#list.last
  }

  /** Reads the whole list; rejects only where there is no connection any more. */
  list({ signal, ...options }: ListOptions = {}): Promise<Listing<ItemOf<Method>>> {
    return run(this.#list.list(options), signal, this.#target, this.#list.method)
  }

  /** Items as they arrive; leaving the loop stops the page under way. */
  all(options: ListOptions = {}): AsyncIterable<ItemOf<Method>> {
    const { signal } = options
    return itemsOfPages(this.pages(options), () => {
      if (signal?.aborted === true) throw aborted(this.#list.method, this.#target, signal)
    })
  }

  /** Pages as they arrive; leaving the loop stops the page under way. */
  pages({ signal, ...options }: ListOptions = {}): AsyncIterable<ListPage<ItemOf<Method>>> {
    return iterate(this.#list.pages(options), signal, this.#target, this.#list.method)
  }
}

/** Ends a subscription; so does the end of `await using`. */
export type Unsubscribe = (() => void) & AsyncDisposable

export class PromiseResourceList extends PromiseList<"resources/list"> {
  readonly templates: PromiseList<"resources/templates/list">
  readonly #subscriptions: ResourceSubscriptions
  readonly #where: string

  constructor(list: Core.ResourceList, target: string) {
    super(list, target)
    this.templates = new PromiseList(list.templates, target)
    this.#subscriptions = list.subscriptions
    this.#where = target
  }

  /**
   * Hears when a resource is to be read again, until the function it resolves with is called or `signal`
   * aborts. Resolves when the server has agreed; rejects with `CapabilityMissing` where it does not offer that.
   */
  subscribe(
    uri: string,
    listener: (update: ResourceUpdated) => void,
    { signal }: Abortable = {},
  ): Promise<Unsubscribe> {
    return new Promise((resolve, reject) => {
      const abortion = () => aborted("resources/subscribe", this.#where, signal)
      if (signal?.aborted === true) return reject(abortion())
      let release = (): void => {}
      const leave = this.#subscriptions.subscribe(uri, listener, (error) => {
        if (error === undefined) return resolve(unsubscribe)
        release()
        reject(error)
      })
      const stop = (): void => {
        release()
        leave()
      }
      const unsubscribe = Object.assign(stop, { [Symbol.asyncDispose]: async () => stop() })
      if (signal === undefined) return
      release = onAbort(signal, () => {
        stop()
        reject(abortion())
      })
    })
  }
}

/** One MCP server, for callers without Effect. Made by `connect`; it wants to be closed. */
export class PromiseClient implements AsyncDisposable {
  readonly tools: PromiseList<"tools/list">
  readonly prompts: PromiseList<"prompts/list">
  readonly resources: PromiseResourceList
  readonly #core: Core.Client
  readonly #scope: Scope.Closeable

  constructor(core: Core.Client, scope: Scope.Closeable) {
    this.#core = core
    this.#scope = scope
    this.tools = new PromiseList(core.tools, core.target)
    this.prompts = new PromiseList(core.prompts, core.target)
    this.resources = new PromiseResourceList(core.resources, core.target)
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

  #request(method: string, params?: JsonObject, options: CallOptions = {}): Promise<JsonObject> {
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
    options: CallOptions = {},
  ): Promise<TypedResults[Method]> {
    const { connection } = this.#core
    return this.#settled(method, options, (coreOptions, done) =>
      converseTyped(connection, method, { ...params }, coreOptions, done),
    )
  }

  /** Straight from the request table to the promise: no fiber is started for a call. */
  #settled<A>(
    method: string,
    { signal, ...options }: CallOptions,
    start: (options: CoreCallOptions, done: (outcome: Typed<A>) => void) => Cancel,
  ): Promise<A> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted === true) return reject(aborted(method, this.target, signal))
      let settled = false
      let release = (): void => {}
      const cancel = start(options, (outcome) => {
        settled = true
        release()
        if (outcome.ok) resolve(outcome.value)
        else reject(outcome.error)
      })
      if (!settled && signal !== undefined) release = onAbort(signal, cancel)
    })
  }
}

const aborted = (method: string, target: string, signal: AbortSignal | undefined): RequestAborted =>
  new RequestAborted({
    ...explain("aborted", "request", target, `${method} was cancelled by the caller.`),
    method,
    cause: signal?.reason,
  })

/** Runs an effect as a promise; an abort becomes the same error a cancelled call ends with. */
const run = async <A>(
  effect: Effect.Effect<A, EntenteError>,
  signal: AbortSignal | undefined,
  target: string,
  what: string,
): Promise<A> => {
  const exit = await Effect.runPromiseExit(effect, signal === undefined ? {} : { signal })
  if (signal?.aborted === true && Exit.hasInterrupts(exit)) throw aborted(what, target, signal)
  return Exit.isSuccess(exit) ? exit.value : Effect.runPromise(exit)
}

const iterate = <A>(
  stream: Stream.Stream<A, EntenteError>,
  signal: AbortSignal | undefined,
  target: string,
  what: string,
): AsyncIterable<A> =>
  Stream.toAsyncIterable(
    signal === undefined
      ? stream
      : Stream.interruptWhen(
          stream,
          failOnAbort(signal, () => aborted(what, target, signal)),
        ),
  )

/** Fails when the signal aborts. */
const failOnAbort = (
  signal: AbortSignal,
  error: () => RequestAborted,
): Effect.Effect<never, RequestAborted> =>
  Effect.callback((resume) => {
    const abort = () => resume(Effect.fail(error()))
    if (signal.aborted) return abort()
    return Effect.sync(onAbort(signal, abort))
  })

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
