import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import {
  type CallToolResult,
  type CompleteResult,
  type CompletionReference,
  type ConnectionClosed,
  type EntenteError,
  type Era,
  type GetPromptResult,
  type InputResponses,
  type JsonObject,
  type JsonRpcNotification,
  type LoggingLevel,
  type MirroredParameter,
  type PausedRequest,
  type ReadResourceResult,
  type ServerNotification,
} from "@entente/protocol"
import type { Transport } from "@entente/transport"
import { cacheFault } from "./cache/cache-options.js"
import {
  ResourceReads,
  type ReadResourceOptions,
  type ReadResourceParams,
} from "./cache/resource-reads.js"
import type { CallOptions } from "./call/call-options.js"
import { Connection } from "./call/connection.js"
import { ping } from "./call/ping.js"
import type { CompleteParams } from "./completion/complete-params.js"
import { Completer, suggesterOf, type CompleterOptions } from "./completion/completer.js"
import { LogLevel } from "./logging/log-level.js"
import { openLife, type LifeState } from "./life/life.js"
import { capabilitiesWith, type CapabilityWish } from "./question/capabilities.js"
import { RootList } from "./question/root-list.js"
import { List } from "./list/list.js"
import { changesOf, type ListChange } from "./list/list-change.js"
import { ResourceList } from "./list/resource-list.js"
import { keepInformed, type ServerLists } from "./list/server-lists.js"
import type { CountedNote } from "./wire/note-book.js"
import type { ConnectOptions } from "./options.js"
import { instructionsOf, serverInfoOf, type ServerInfo } from "./server-info.js"
import { readStructured } from "./output-schema/read-structured.js"
import type { ParamsFor } from "./notification/notices.js"
import type { ListeningState, Subscriptions } from "./subscription/listening.js"
import { snapshotOf, type Snapshot, type SnapshotOptions } from "./list/snapshot.js"
import { isResultSchema, readWith, type ResultSchema } from "./call/standard-schema.js"
import { typedResult, type TypedResults } from "./call/typed-result.js"
import type { MultiRoundMethod } from "./rounds/pause.js"
import { retryOf, type ResumeOptions } from "./rounds/resume.js"
import { watch, watchState } from "./watch.js"
import { Tasks } from "./task/tasks.js"

export interface CallToolParams {
  readonly name: string
  readonly arguments?: JsonObject
}

export interface GetPromptParams {
  readonly name: string
  /** Strings only (V25-PROMPT-01, V26-PROM-01). */
  readonly arguments?: Readonly<Record<string, string>>
}

/**
 * One MCP server, seen through Effect. Made by `connect`; whatever it holds is released with the scope
 * it was made in.
 */
export class Client {
  readonly connection: Connection
  readonly tools: List<"tools/list">
  readonly prompts: List<"prompts/list">
  readonly resources: ResourceList
  readonly reads: ResourceReads
  readonly roots: RootList
  readonly #logLevel: LogLevel
  readonly tasks: Tasks

  constructor(connection: Connection) {
    this.connection = connection
    // First of all, so that nobody who hears of a change finds a list that does not know of it yet.
    keepInformed(connection, () => this.#lists)
    this.#logLevel = new LogLevel(connection)
    this.roots = new RootList(connection.life)
    this.tools = new List(connection, "tools/list")
    this.prompts = new List(connection, "prompts/list")
    // Before the resources, whose subscribers are to find nothing that is out of date.
    this.reads = new ResourceReads(connection)
    this.resources = new ResourceList(connection)
    connection.mirrored.list = this.tools
    connection.offered.holdAgainst(this)
    this.tasks = new Tasks(connection, this.tools)
  }

  get target(): string {
    return this.connection.target
  }

  /** The kind of transport that is spoken, which may be a fallback of the one given. */
  get transport(): string {
    return this.connection.life.transportKind
  }

  get era(): Era {
    return this.connection.life.agreement.era
  }

  get protocolVersion(): string {
    return this.connection.life.agreement.revision
  }

  get server(): ServerInfo {
    return serverInfoOf(this.connection.life.agreement)
  }

  get capabilities(): JsonObject {
    return this.connection.life.capabilities
  }

  /**
   * What this client declares, changed for one call to a modern server (V26-META-05): for its option
   * `capabilities`.
   *
   * @example
   * client.callTool(params, { capabilities: client.declaring({ elicitation: false }) }) // nobody is there
   */
  declaring(wish: CapabilityWish): JsonObject {
    return capabilitiesWith(this.connection.life.clientCapabilities, wish)
  }

  /** Guidance of the server for the model; untrusted text (V25-LIFE-16, V26-DISC-06). */
  get instructions(): string | undefined {
    return instructionsOf(this.connection.life.agreement)
  }

  /** Everything harmless that was noticed so far, counted. */
  get notes(): ReadonlyArray<CountedNote> {
    return this.connection.notes.all
  }

  /** How the connection stands: the state of its chart. */
  get state(): LifeState {
    return this.connection.life.state
  }

  /** The state of the connection's chart, the current one first; ends when the connection does. */
  get states(): Stream.Stream<LifeState> {
    const { life } = this.connection
    const isLast = (state: LifeState): boolean => state === "closed" || state === "failed"
    return watchState(life, "states", life.stateChanged, () => life.state, isLast)
  }

  /**
   * The changes of all lists that the server offers, from now on: what was added, removed and changed. Reading
   * this is an interest: the server is listened to, also with `listen: false`, lists that were not read yet are
   * read, and what it says of changes leads to a new reading. A tool that changed carries fingerprints, so that a host can ask its
   * user again (V25-LIST-05). Ends with the connection, and fails when it fails.
   */
  get changes(): Stream.Stream<ListChange, EntenteError> {
    return changesOf(this.connection.life, this.#lists)
  }

  get #lists(): ServerLists {
    const { tools, prompts, resources } = this
    return { tools, prompts, resources, templates: resources.templates }
  }

  /** Whether the server is heard when it speaks by itself; see `ListeningState`. */
  get listening(): ListeningState {
    return this.connection.life.listening.state
  }

  /** What the server was asked to tell of by itself, and what it agreed to. */
  get subscriptions(): Subscriptions {
    return this.connection.life.listening.subscriptions
  }

  /**
   * Every notification of the server, known or not, from now on and to the end of the connection (C058); of
   * its log what was asked for. A reader that is 1,024 behind loses the oldest, with a note.
   */
  get notifications(): Stream.Stream<JsonRpcNotification> {
    const { life } = this.connection
    return watch(life, "notifications", () => life.notified)
  }

  /**
   * The params of every notification of one method, like `notifications`. Those of a known method are
   * checked: what is not of its shape is noted and left out.
   *
   * @example
   * client.notificationsOf("notifications/message") // Stream<{ level, data, … }>
   */
  notificationsOf<Method extends ServerNotification | (string & {})>(
    method: Method,
  ): Stream.Stream<ParamsFor<Method>> {
    const { life, notices } = this.connection
    return watch(life, method, () => notices.listenersOf(method))
  }

  /** Calls a function with the params of every notification of one method; the one returned stops it. */
  on<Method extends ServerNotification | (string & {})>(
    method: Method,
    listener: (params: ParamsFor<Method>) => void,
  ): () => void {
    return this.connection.notices.on(method, listener)
  }

  /** The ids of pages that the server has called completed, from now on; legacy only (V25-ELI-12). */
  get completedPages(): Stream.Stream<string> {
    const { life } = this.connection
    return watch(life, "completed pages", () => life.questions.completed)
  }

  /**
   * Calls a tool. A tool's own failure is a result with `isError`, not an error; only what goes wrong
   * around it fails (V25-TOOL-05, V26-TOOL-10).
   */
  callTool(
    params: CallToolParams,
    options?: CallOptions,
  ): Effect.Effect<CallToolResult, EntenteError> {
    return typedResult(this.connection, "tools/call", params, options)
  }

  /**
   * The arguments of a tool that leave as HTTP headers as well, `Mcp-Param-` and their name, as the newest
   * listing says; none where they do not. Everything between here and the server can read them (V26-XHDR-18).
   */
  mirroredArguments(tool: string): ReadonlyArray<MirroredParameter> {
    return this.connection.mirrored.of(tool)
  }

  getPrompt(
    params: GetPromptParams,
    options?: CallOptions,
  ): Effect.Effect<GetPromptResult, EntenteError> {
    return typedResult(this.connection, "prompts/get", params, options)
  }

  /** Reads a resource; of a modern server from what is kept, while that is fresh (V26-CACHE-02). */
  readResource(
    params: ReadResourceParams,
    options?: ReadResourceOptions,
  ): Effect.Effect<ReadResourceResult, EntenteError> {
    return this.reads.read(params, options)
  }

  /**
   * Suggestions for an argument of a prompt or a resource template, once. While somebody types, `completer` is
   * the better way. A server of 2024-11-05 has no capability to declare: it is asked, and fails with
   * `CapabilityMissing` if it knows nothing of it, from then on without being asked (V25-CAP-11).
   */
  complete(
    params: CompleteParams,
    options?: CallOptions,
  ): Effect.Effect<CompleteResult, EntenteError> {
    return typedResult(this.connection, "completion/complete", params, options)
  }

  /** Suggestions while somebody types: waits for a pause, keeps answers, and only the latest question counts. */
  completer(ref: CompletionReference, options: CompleterOptions = {}): Completer {
    return new Completer(suggesterOf(this.connection, ref, options))
  }

  /**
   * Succeeds if the server answers: a legacy one to `ping`, a modern one, which has none, to
   * `server/discover`. One that does not know the method has answered as well.
   */
  ping(options: CallOptions = {}): Effect.Effect<void, EntenteError> {
    return ping(this.connection, options)
  }

  /**
   * Which log messages are to come, from this level of severity on; undefined for none. A legacy server is told
   * now, and again after every recovery; in the modern era each later request asks for them, unless its own
   * `logLevel` says otherwise. Messages below the level are dropped here too, with a note. Fails with
   * `CapabilityMissing` where the server declares no `logging`.
   */
  setLogLevel(
    level: LoggingLevel | undefined,
    options?: CallOptions,
  ): Effect.Effect<void, EntenteError> {
    return this.#logLevel.set(level, options)
  }

  /**
   * Goes on with a request that was paused because the server asked for input: with the pause of an
   * `InputRequired`, or with what its `serialize` gave, in this process or another. Further questions go to
   * the handlers, or end in `InputRequired` again.
   */
  resume<Method extends MultiRoundMethod = "tools/call">(
    pause: PausedRequest | string,
    responses: InputResponses,
    options: ResumeOptions<Method> = {},
  ): Effect.Effect<TypedResults[Method], EntenteError> {
    const { method: _expected, ...callOptions } = options
    return Effect.flatMap(
      Effect.fromResult(retryOf(pause, responses, options, this.target)),
      ({ method, params, rounds }) =>
        // `retryOf` has made sure that the pause is of the method that was asked for.
        typedResult(this.connection, method as Method, params, { ...callOptions, rounds }),
    )
  }

  /** Any request, with the result as the server sent it. */
  request(
    method: string,
    params?: JsonObject,
    options?: CallOptions,
  ): Effect.Effect<JsonObject, EntenteError>
  /**
   * Any request, with its result read by a schema of Effect or of any library that speaks Standard Schema.
   * A result that does not fit fails with `ProtocolViolation`, which points to the place.
   *
   * @example
   * const Weather = Schema.Struct({ celsius: Schema.Finite })
   * client.request("weather/now", { city: "Ghent" }, Weather) // Effect<{ celsius: number }, …>
   */
  request<A>(
    method: string,
    params: JsonObject | undefined,
    schema: ResultSchema<A>,
    options?: CallOptions,
  ): Effect.Effect<A, EntenteError>
  request(
    method: string,
    params?: JsonObject,
    third?: ResultSchema<unknown> | CallOptions,
    fourth?: CallOptions,
  ): Effect.Effect<unknown, EntenteError> {
    if (!isResultSchema(third)) return this.connection.request(method, params, third)
    const reading = { target: this.target, what: `The result of ${method}` }
    return Effect.flatMap(this.connection.request(method, params, fourth), (result) =>
      readWith(third, result, reading),
    )
  }

  /**
   * The structured content of a tool's result, read by a schema of Effect or of any library that speaks
   * Standard Schema. Fails where there is none, or where it does not fit.
   */
  readStructured<A>(
    result: CallToolResult,
    schema: ResultSchema<A>,
  ): Effect.Effect<A, EntenteError> {
    return readStructured(result, schema, this.target)
  }

  /** All lists of the server, read side by side, each failing alone. */
  snapshot(options?: SnapshotOptions): Effect.Effect<Snapshot, ConnectionClosed> {
    return snapshotOf(this, options)
  }

  /** Ends the session, the streams and the process. Calling it again does nothing. */
  get close(): Effect.Effect<void> {
    return this.connection.life.close
  }
}

/**
 * Opens a connection and agrees on a protocol with the server. Closing the scope closes it.
 *
 * @example
 * Effect.scoped(Effect.gen(function* () {
 *   const client = yield* Client.connect(http("https://example.com/mcp"))
 *   yield* client.tools.stream().pipe(Stream.runForEach((tool) => Console.log(tool.name)))
 * }))
 */
export const connect = (
  transport: Transport,
  options: ConnectOptions = {},
): Effect.Effect<Client, EntenteError, Scope.Scope> =>
  Effect.gen(function* () {
    const fault = cacheFault(options.cache, transport.target)
    if (fault !== undefined) return yield* fault
    const life = yield* openLife(transport, options)
    const client = new Client(new Connection(life, options))
    // Before the life is closed, which ends what runs beside the calls.
    yield* Effect.addFinalizer(() => client.connection.results.settled)
    return client
  })
