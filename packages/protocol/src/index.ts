export * from "./revision.js"
export * from "./json-rpc.js"
export * from "./error-code.js"
export * from "./error-fields.js"
export * from "./errors.js"
export * from "./question-errors.js"
export * from "./tolerance.js"
export * from "./is-entente-error.js"
export * from "./trace-context.js"
export type { Gate } from "./gate.js"
export type { NotificationRow, RequestRow, Sender } from "./method-row.js"
export { requests } from "./request.js"
export { notifications } from "./notification.js"
export * from "./method.js"
export * from "./validate.js"
export * from "./validate-tolerantly.js"
export { repair, type RepairCode, type Repaired } from "./repair.js"
export * from "./empty-array.js"
export * from "./base64.js"
export * from "./display-name.js"
export * from "./edit-distance.js"
export * from "./read-content.js"
export * from "./items.js"
export * from "./result-type.js"
export * from "./freshness.js"
export * from "./wire-header.js"
export * from "./mirroring/subschemas.js"
export * from "./mirroring/mirrored-parameter.js"
export * from "./mirroring/mirrored-header.js"
export * from "./challenge.js"
export * from "./plain-text.js"
export * from "./json-pointer.js"
export * from "./json-size.js"
export * from "./schema-reference.js"
export { AnyObject, type Shape } from "./schema/open.js"
export * from "./meta-key.js"
export * from "./schema/meta.js"
export * from "./schema/implementation.js"
export * from "./schema/capability.js"
export * from "./schema/annotations.js"
export * from "./schema/content.js"
export * from "./schema/tool.js"
export { EmptyResult } from "./schema/result.js"
export * from "./schema/prompt.js"
export {
  BlobResourceContents,
  ListResourcesResult,
  ListResourceTemplatesResult,
  ReadResourceResult,
  Resource,
  ResourceContents,
  ResourceTemplate,
  TextResourceContents,
} from "./schema/resource.js"
export { CompleteResult, CompletionReference } from "./schema/completion.js"
export * from "./schema/logging.js"
export * from "./schema/root.js"
export {
  CreateMessageParams,
  CreateMessageResult,
  ModelPreferences,
  SamplingContent,
  SamplingMessage,
  ToolResultContent,
  ToolUseContent,
} from "./schema/sampling.js"
export * from "./schema/elicitation-form.js"
export {
  ElicitResult,
  FormParams,
  LegacyUrlParams,
  UrlElicitationRequired,
  UrlParams,
} from "./schema/elicitation.js"
export { DiscoverResult, InitializeResult } from "./schema/initialize.js"
export {
  InputRequest,
  InputRequests,
  InputRequiredResult,
  InputResponse,
  InputResponses,
  ListRootsParams,
  ListRootsResult,
} from "./schema/input-required.js"
export * from "./schema/subscription.js"
export {
  CreateTaskResult,
  LegacyCreateTaskResult,
  LegacyTask,
  ListTasksResult,
  Task,
  TaskStatus,
} from "./schema/task.js"
