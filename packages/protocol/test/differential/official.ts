import * as core from "@modelcontextprotocol/core"
import type { Message, Part } from "./corpus.js"

/** As much of a Zod schema as is needed here. */
interface ZodLike {
  readonly safeParse: (value: unknown) => { readonly success: boolean }
}

type Row = Partial<Record<Part, ZodLike>>

/** The schemas of the official package by method; it describes both eras with one set of them. */
const schemas: Readonly<Record<string, Row>> = {
  initialize: { params: core.InitializeRequestSchema, result: core.InitializeResultSchema },
  "server/discover": { params: core.DiscoverRequestSchema, result: core.DiscoverResultSchema },
  ping: { params: core.PingRequestSchema, result: core.EmptyResultSchema },
  "tools/list": { params: core.ListToolsRequestSchema, result: core.ListToolsResultSchema },
  "tools/call": { params: core.CallToolRequestSchema, result: core.CallToolResultSchema },
  "prompts/list": { params: core.ListPromptsRequestSchema, result: core.ListPromptsResultSchema },
  "prompts/get": { params: core.GetPromptRequestSchema, result: core.GetPromptResultSchema },
  "resources/list": {
    params: core.ListResourcesRequestSchema,
    result: core.ListResourcesResultSchema,
  },
  "resources/templates/list": {
    params: core.ListResourceTemplatesRequestSchema,
    result: core.ListResourceTemplatesResultSchema,
  },
  "resources/read": {
    params: core.ReadResourceRequestSchema,
    result: core.ReadResourceResultSchema,
  },
  "resources/subscribe": { params: core.SubscribeRequestSchema, result: core.EmptyResultSchema },
  "resources/unsubscribe": {
    params: core.UnsubscribeRequestSchema,
    result: core.EmptyResultSchema,
  },
  "completion/complete": { params: core.CompleteRequestSchema, result: core.CompleteResultSchema },
  "logging/setLevel": { params: core.SetLevelRequestSchema, result: core.EmptyResultSchema },
  "subscriptions/listen": {
    params: core.SubscriptionsListenRequestSchema,
    result: core.SubscriptionsListenResultSchema,
  },
  "roots/list": { params: core.ListRootsRequestSchema, result: core.ListRootsResultSchema },
  "sampling/createMessage": {
    params: core.CreateMessageRequestSchema,
    result: core.CreateMessageResultWithToolsSchema,
  },
  "elicitation/create": { params: core.ElicitRequestSchema, result: core.ElicitResultSchema },
  "notifications/initialized": { params: core.InitializedNotificationSchema },
  "notifications/cancelled": { params: core.CancelledNotificationSchema },
  "notifications/progress": { params: core.ProgressNotificationSchema },
  "notifications/message": { params: core.LoggingMessageNotificationSchema },
  "notifications/tools/list_changed": { params: core.ToolListChangedNotificationSchema },
  "notifications/prompts/list_changed": { params: core.PromptListChangedNotificationSchema },
  "notifications/resources/list_changed": { params: core.ResourceListChangedNotificationSchema },
  "notifications/resources/updated": { params: core.ResourceUpdatedNotificationSchema },
  "notifications/roots/list_changed": { params: core.RootsListChangedNotificationSchema },
  "notifications/elicitation/complete": { params: core.ElicitationCompleteNotificationSchema },
  "notifications/subscriptions/acknowledged": {
    params: core.SubscriptionsAcknowledgedNotificationSchema,
  },
}

/** Only the tasks of 2025-11-25; those of the extension are not described. */
const legacyTasks: Readonly<Record<string, Row>> = {
  "tools/call": { task: core.CreateTaskResultSchema },
  "tasks/get": { params: core.GetTaskRequestSchema, result: core.GetTaskResultSchema },
  "tasks/result": {
    params: core.GetTaskPayloadRequestSchema,
    result: core.GetTaskPayloadResultSchema,
  },
  "tasks/list": { params: core.ListTasksRequestSchema, result: core.ListTasksResultSchema },
  "tasks/cancel": { params: core.CancelTaskRequestSchema, result: core.CancelTaskResultSchema },
  "notifications/tasks/status": { params: core.TaskStatusNotificationSchema },
}

/** Whether the official schemas accept a message; nothing where they do not describe it. */
export const official = ({ method, part, era, value }: Message): boolean | undefined => {
  const schema =
    schemas[method]?.[part] ?? (era === "legacy" ? legacyTasks[method]?.[part] : undefined)
  if (part !== "params") return schema?.safeParse(value).success
  return schema?.safeParse(value === undefined ? { method } : { method, params: value }).success
}
