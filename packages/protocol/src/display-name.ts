import type { Prompt } from "./schema/prompt.js"
import type { Resource, ResourceTemplate } from "./schema/resource.js"
import type { Tool } from "./schema/tool.js"

const isTool = (item: Tool | Prompt | Resource | ResourceTemplate): item is Tool =>
  "inputSchema" in item

/**
 * What people call an item of a list; programs go by `name`, or by the URI (V25-TOOL-13, V26-TOOL-03). Tools
 * alone had another place for a title before they had this one. Untrusted text.
 *
 * @example
 * displayName({ name: "get_weather", inputSchema, annotations: { title: "Weather" } }) // "Weather"
 */
export const displayName = (item: Tool | Prompt | Resource | ResourceTemplate): string =>
  item.title ?? (isTool(item) ? item.annotations?.title : undefined) ?? item.name
