import * as Schema from "effect/Schema"
import { extension, receiver } from "./gate.js"
import type { RequestRow } from "./method-row.js"
import { tasksExtension } from "./schema/capability.js"
import { CompleteResult, completionFields } from "./schema/completion.js"
import { ElicitResult, formFields, legacyUrlFields } from "./schema/elicitation.js"
import { DiscoverResult, InitializeResult, initializeFields } from "./schema/initialize.js"
import { InputResponses, ListRootsResult, retryFields } from "./schema/input-required.js"
import { LoggingLevel } from "./schema/logging.js"
import { LegacyRequestMeta, ModernRequestMeta } from "./schema/meta.js"
import { AnyObject, optional, params } from "./schema/open.js"
import { GetPromptResult, ListPromptsResult, Prompt } from "./schema/prompt.js"
import {
  ListResourcesResult,
  ListResourceTemplatesResult,
  ReadResourceResult,
  Resource,
  ResourceTemplate,
} from "./schema/resource.js"
import { EmptyResult } from "./schema/result.js"
import { CreateMessageResult, samplingFields } from "./schema/sampling.js"
import { SubscriptionFilter } from "./schema/subscription.js"
import { LegacyTask, ListTasksResult, Task, taskWish } from "./schema/task.js"
import { CallToolResult, LegacyCallToolResult, ListToolsResult, Tool } from "./schema/tool.js"

const legacyMeta = { _meta: optional(LegacyRequestMeta) }
const modernMeta = { _meta: ModernRequestMeta }

const page = { cursor: optional(Schema.String) }
const legacyPageParams = params({ ...page, ...legacyMeta })
const modernPageParams = params({ ...page, ...modernMeta })

/** A list that both eras have; what they add to its pages differs, not the pages. */
const pagesOf = <const Result>(result: Result) =>
  ({
    legacy: { since: "2024-11-05", params: legacyPageParams, result },
    modern: { since: "2026-07-28", params: modernPageParams, result },
  }) as const

const uri = { uri: Schema.String }
const call = { name: Schema.String, arguments: optional(AnyObject) }
const prompt = {
  name: Schema.String,
  arguments: optional(Schema.Record(Schema.String, Schema.String)),
}
const task = { taskId: Schema.String }

const tasks = extension("receiver", tasksExtension)

/**
 * Every request of both eras, in one row each; all else about methods is derived from here and from
 * the table of notifications. Roots, sampling and elicitation have no modern row: there they travel
 * inside results (V26-ENV-12).
 */
export const requests = {
  initialize: {
    sender: "client",
    legacy: {
      since: "2024-11-05",
      params: params({ ...initializeFields, ...legacyMeta }),
      result: InitializeResult,
    },
    replaySafe: false,
  },
  "server/discover": {
    sender: "client",
    modern: { since: "2026-07-28", params: params(modernMeta), result: DiscoverResult },
    replaySafe: true,
    cacheable: true,
  },
  ping: {
    sender: "both",
    legacy: { since: "2024-11-05", params: params(legacyMeta), result: EmptyResult },
    replaySafe: true,
  },
  "tools/list": {
    sender: "client",
    gate: receiver("tools"),
    ...pagesOf(ListToolsResult),
    replaySafe: true,
    cacheable: true,
    page: { member: "tools", item: Tool, key: "name" },
  },
  "tools/call": {
    sender: "client",
    gate: receiver("tools"),
    legacy: {
      since: "2024-11-05",
      params: params({ ...call, ...taskWish, ...legacyMeta }),
      result: LegacyCallToolResult,
    },
    modern: {
      since: "2026-07-28",
      params: params({ ...call, ...retryFields, ...modernMeta }),
      result: CallToolResult,
      mirrors: "name",
    },
    replaySafe: false,
    multiRound: true,
    reportsProgress: true,
    taskable: true,
  },
  "prompts/list": {
    sender: "client",
    gate: receiver("prompts"),
    ...pagesOf(ListPromptsResult),
    replaySafe: true,
    cacheable: true,
    page: { member: "prompts", item: Prompt, key: "name" },
  },
  "prompts/get": {
    sender: "client",
    gate: receiver("prompts"),
    legacy: {
      since: "2024-11-05",
      params: params({ ...prompt, ...legacyMeta }),
      result: GetPromptResult,
    },
    modern: {
      since: "2026-07-28",
      params: params({ ...prompt, ...retryFields, ...modernMeta }),
      result: GetPromptResult,
      mirrors: "name",
    },
    replaySafe: true,
    multiRound: true,
    reportsProgress: true,
  },
  "resources/list": {
    sender: "client",
    gate: receiver("resources"),
    ...pagesOf(ListResourcesResult),
    replaySafe: true,
    cacheable: true,
    page: { member: "resources", item: Resource, key: "uri" },
  },
  "resources/templates/list": {
    sender: "client",
    gate: receiver("resources"),
    ...pagesOf(ListResourceTemplatesResult),
    replaySafe: true,
    cacheable: true,
    page: { member: "resourceTemplates", item: ResourceTemplate, key: "uriTemplate" },
  },
  "resources/read": {
    sender: "client",
    gate: receiver("resources"),
    legacy: {
      since: "2024-11-05",
      params: params({ ...uri, ...legacyMeta }),
      result: ReadResourceResult,
    },
    modern: {
      since: "2026-07-28",
      params: params({ ...uri, ...retryFields, ...modernMeta }),
      result: ReadResourceResult,
      mirrors: "uri",
    },
    replaySafe: true,
    cacheable: true,
    multiRound: true,
    reportsProgress: true,
  },
  "resources/subscribe": {
    sender: "client",
    gate: receiver("resources.subscribe"),
    legacy: { since: "2024-11-05", params: params({ ...uri, ...legacyMeta }), result: EmptyResult },
    replaySafe: false,
  },
  "resources/unsubscribe": {
    sender: "client",
    gate: receiver("resources.subscribe"),
    legacy: { since: "2024-11-05", params: params({ ...uri, ...legacyMeta }), result: EmptyResult },
    replaySafe: false,
  },
  "completion/complete": {
    sender: "client",
    // 2024-11-05 has the method, but no flag for it (V25-CAP-11).
    gate: { ...receiver("completions"), since: "2025-03-26" },
    legacy: {
      since: "2024-11-05",
      params: params({ ...completionFields, ...legacyMeta }),
      result: CompleteResult,
    },
    modern: {
      since: "2026-07-28",
      params: params({ ...completionFields, ...modernMeta }),
      result: CompleteResult,
    },
    replaySafe: true,
  },
  "logging/setLevel": {
    sender: "client",
    gate: receiver("logging"),
    legacy: {
      since: "2024-11-05",
      params: params({ level: LoggingLevel, ...legacyMeta }),
      result: EmptyResult,
    },
    replaySafe: false,
  },
  "subscriptions/listen": {
    sender: "client",
    modern: {
      since: "2026-07-28",
      params: params({ notifications: SubscriptionFilter, ...modernMeta }),
      // Sent only when the server ends the subscription; its id says which one.
      result: EmptyResult,
    },
    replaySafe: true,
  },
  "tasks/get": {
    sender: "both",
    legacy: {
      since: "2025-11-25",
      gate: receiver("tasks"),
      params: params({ ...task, ...legacyMeta }),
      result: LegacyTask,
    },
    modern: {
      since: "2026-07-28",
      sender: "client",
      gate: tasks,
      params: params({ ...task, ...modernMeta }),
      result: Task,
      mirrors: "taskId",
    },
    replaySafe: true,
  },
  "tasks/result": {
    sender: "both",
    gate: receiver("tasks"),
    legacy: {
      since: "2025-11-25",
      params: params({ ...task, ...legacyMeta }),
      // Whatever the request that became the task would have answered (V25-TASK-08).
      result: EmptyResult,
    },
    replaySafe: true,
  },
  "tasks/list": {
    sender: "both",
    gate: receiver("tasks.list"),
    legacy: { since: "2025-11-25", params: legacyPageParams, result: ListTasksResult },
    replaySafe: true,
    page: { member: "tasks", item: LegacyTask, key: "taskId" },
  },
  "tasks/cancel": {
    sender: "both",
    legacy: {
      since: "2025-11-25",
      gate: receiver("tasks.cancel"),
      params: params({ ...task, ...legacyMeta }),
      result: LegacyTask,
    },
    modern: {
      since: "2026-07-28",
      sender: "client",
      gate: tasks,
      params: params({ ...task, ...modernMeta }),
      result: EmptyResult,
      mirrors: "taskId",
    },
    replaySafe: false,
  },
  "tasks/update": {
    sender: "client",
    gate: tasks,
    modern: {
      since: "2026-07-28",
      params: params({ ...task, inputResponses: InputResponses, ...modernMeta }),
      result: EmptyResult,
      mirrors: "taskId",
    },
    replaySafe: false,
  },
  "roots/list": {
    sender: "server",
    gate: receiver("roots"),
    legacy: { since: "2024-11-05", params: params(legacyMeta), result: ListRootsResult },
    replaySafe: false,
  },
  "sampling/createMessage": {
    sender: "server",
    gate: receiver("sampling"),
    legacy: {
      since: "2024-11-05",
      params: params({ ...samplingFields, ...taskWish, ...legacyMeta }),
      result: CreateMessageResult,
    },
    replaySafe: false,
  },
  "elicitation/create": {
    sender: "server",
    gate: receiver("elicitation"),
    legacy: {
      since: "2025-06-18",
      params: Schema.Union([
        params({ ...legacyUrlFields, ...taskWish, ...legacyMeta }),
        params({ ...formFields, ...taskWish, ...legacyMeta }),
      ]),
      result: ElicitResult,
    },
    replaySafe: false,
  },
} as const satisfies Record<string, RequestRow>
