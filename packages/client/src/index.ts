export * as Client from "./client.js"
export type { EntenteError, ErrorCode, MirroredParameter } from "@entente/protocol"
export {
  defaultReconnect,
  defaultSubscription,
  type ReconnectPolicy,
  type SubscriptionPolicy,
  type Verdict,
} from "@entente/session"
export { http } from "@entente/transport"
export type { CallOutcome } from "./call/call.js"
export type { CallOptions as EffectCallOptions } from "./call/call-options.js"
export type { MultiRoundMethod } from "./rounds/pause.js"
export type { ResumeOptions } from "./rounds/resume.js"
export type { RoundBounds } from "./rounds/round-bounds.js"
export type { ResultSchema } from "./call/standard-schema.js"
export type { AnswerTaskBounds } from "./question/as-task/answer-tasks.js"
export type { Progress } from "./wire/progress.js"
export type { CallToolParams, GetPromptParams } from "./client.js"
export type { CacheOptions } from "./cache/cache-options.js"
export { memoryResults } from "./cache/memory-results.js"
export {
  redisResults,
  type RedisCommands,
  type RedisResultsOptions,
} from "./cache/redis-results.js"
export type {
  ReadResourceOptions as EffectReadResourceOptions,
  ReadResourceParams,
} from "./cache/resource-reads.js"
export type { ResultStore, StoredResult } from "./cache/result-store.js"
export type { StoreBounds } from "./cache/store-bounds.js"
export type { TelemetryOptions } from "./telemetry/telemetry-options.js"
export type { CompleteParams } from "./completion/complete-params.js"
export type { Completer, CompleterOptions } from "./completion/completer.js"
export type { Entered, Suggestions } from "./completion/suggester.js"
export {
  expandTemplate,
  templateVariables,
  type AnyTemplate,
  type TemplateValue,
} from "./resource/expand-template.js"
export { canonicalJson, fingerprint } from "./fingerprint.js"
export type { LifeState } from "./life/life.js"
export type {
  Around,
  Middleware,
  MiddlewareContext,
  Next,
  OutgoingRequest,
} from "./middleware/middleware.js"
export type { ServerAnswer } from "./wire/server-request.js"
export type { ListReason } from "./list/list-reason.js"
export type { ListChange } from "./list/list-change.js"
export { differenceOf, type ChangedItem, type ListDifference } from "./list/list-difference.js"
export { sameJson } from "./list/same-json.js"
export type { Listing, ListPage, ListState } from "./list/listing.js"
export type { ListMethod, ListOptions as EffectListOptions } from "./list/list.js"
export type { CountedNote } from "./wire/note-book.js"
export { defaultClientInfo, type ClientInfo, type KeepAlive, type ListBounds } from "./options.js"
export { run as runAbortable, type Abortable } from "./promise-run.js"
export { PromiseCompleter } from "./completion/promise-completer.js"
export { PromiseList, type ListOptions } from "./list/promise-list.js"
export { PromiseResourceList, type Unsubscribe } from "./list/promise-resource-list.js"
export {
  connect,
  PromiseClient,
  type CallOptions,
  type ConnectOptions,
  type ReadResourceOptions,
  type SnapshotOptions,
} from "./promise.js"
export type { NotificationParams, ParamsFor } from "./notification/notices.js"
export type { ListeningState, Subscriptions } from "./subscription/listening.js"
export type { ResourceUpdated } from "./subscription/resource-subscriptions.js"
export type { ServerInfo } from "./server-info.js"
export type { SessionStore, StoredSession } from "./session/session-store.js"
export type { ListName, Snapshot, SnapshotList } from "./list/snapshot.js"
export { memoryVerdicts, type VerdictStore } from "./life/verdict-store.js"
export type { CapabilityWish } from "./question/capabilities.js"
export { defaultsOf } from "./question/form-content.js"
export type {
  Answering,
  ElicitationHandlers,
  FormAnswer,
  FormContent,
  FormContext,
  Handler,
  Handlers,
  QuestionContext,
  QuestionMethod,
  RootsHandler,
  SamplingHandler,
  SamplingOptions,
  UrlAnswer,
  UrlContext,
} from "./question/handlers.js"
export type { PageReport, PageWarning } from "./question/page-report.js"
export { QuestionWithdrawn } from "./question/question-withdrawn.js"
export { UserRefused } from "./question/user-refused.js"
export { chooseModel, type AvailableModel } from "./question/choose-model.js"
export { compileSchema } from "./output-schema/compile-schema.js"
export type {
  Compiled as CompiledSchema,
  Verdict as SchemaVerdict,
} from "./output-schema/compile.js"

export type { OutputSchemaUse } from "./output-schema/output-schemas.js"
export { schemaDialects, type SchemaDialect } from "./output-schema/dialect.js"
export { limits as outputSchemaLimits } from "./output-schema/limits.js"
export { structuredContentOf, type StructuredContent } from "./output-schema/structured-content.js"
export { displayName, isContent, isKnownContent, toolHints } from "@entente/protocol"
export { defaultTaskPolicy, type TaskPolicy } from "@entente/session"
export type { TaskCall, TaskCallOptions } from "./task/begin-task.js"
export { PromiseTaskHandle, PromiseTasks } from "./task/promise-tasks.js"
export type { StoredTask } from "./task/stored-task.js"
export { TaskHandle } from "./task/task-handle.js"
export type { TaskCancellation, TaskState } from "./task/task-run.js"
export type { TaskResumeOptions, Tasks } from "./task/tasks.js"
export type { TaskView } from "./task/task-view.js"
