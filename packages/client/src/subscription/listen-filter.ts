import {
  isJsonObject,
  missingCapability,
  type JsonObject,
  type JsonRpcNotification,
  type Revision,
  type SubscriptionFilter,
} from "@entente/protocol"
import { type ListNotice } from "../list/list-notice.js"
import { liesUnder } from "./lies-under.js"

/** Notifications that a modern server sends on a subscription alone, and what asks for each (V26-SUB-01). */
const asksFor = {
  "notifications/tools/list_changed": "toolsListChanged",
  "notifications/prompts/list_changed": "promptsListChanged",
  "notifications/resources/list_changed": "resourcesListChanged",
  "notifications/resources/updated": "resourceSubscriptions",
  "notifications/tasks": "taskIds",
} as const

export type ChangeMethod = keyof typeof asksFor

const flags = ["toolsListChanged", "promptsListChanged", "resourcesListChanged"] as const
const lists = ["resourceSubscriptions", "taskIds"] as const

/** Whether a notification tells of a change, so that its place is a subscription. */
export const isChange = (method: string): method is ChangeMethod => Object.hasOwn(asksFor, method)

/** What a host wants to hear of. */
export interface Wanted {
  /** The notifications of lists that are wanted. */
  readonly lists: ReadonlyArray<ListNotice>
  readonly resources: ReadonlyArray<string>
  readonly tasks: ReadonlyArray<string>
}

/** The filter for what is wanted, as far as the server offers it (V26-SUB-15, V26-DISC-05). */
export const filterOf = (
  wanted: Wanted,
  revision: Revision,
  capabilities: JsonObject,
): SubscriptionFilter => {
  const offered = (method: ChangeMethod): boolean =>
    missingCapability(method, revision, capabilities) === undefined
  const isAsked = (notice: ListNotice): boolean => wanted.lists.includes(notice) && offered(notice)
  return {
    ...(isAsked("notifications/tools/list_changed") && { toolsListChanged: true }),
    ...(isAsked("notifications/prompts/list_changed") && { promptsListChanged: true }),
    ...(isAsked("notifications/resources/list_changed") && { resourcesListChanged: true }),
    ...(wanted.resources.length > 0 &&
      offered("notifications/resources/updated") && { resourceSubscriptions: wanted.resources }),
    ...(wanted.tasks.length > 0 && offered("notifications/tasks") && { taskIds: wanted.tasks }),
  }
}

/** Filters of `filterOf` have their members in one order, and names in another. */
export const sameFilter = (one: SubscriptionFilter, other: SubscriptionFilter): boolean =>
  JSON.stringify(one) === JSON.stringify(other)

const select = (
  asked: SubscriptionFilter,
  wantsFlag: (flag: (typeof flags)[number]) => boolean,
  wantsName: (list: (typeof lists)[number], name: string) => boolean,
): SubscriptionFilter => {
  const selected: Record<string, unknown> = {}
  for (const flag of flags) {
    if (asked[flag] === true && wantsFlag(flag)) selected[flag] = true
  }
  for (const list of lists) {
    const names = asked[list]?.filter((name) => wantsName(list, name)) ?? []
    if (names.length > 0) selected[list] = names
  }
  return selected
}

const namesIn = (filter: SubscriptionFilter) => {
  const sets = new Map(lists.map((list) => [list, new Set(filter[list])]))
  return (list: (typeof lists)[number], name: string): boolean => sets.get(list)?.has(name) === true
}

/** What counts of an acknowledgement: the part of it that was asked for (V26-SUB-02, V26-SUB-04). */
export const grantedOf = (
  asked: SubscriptionFilter,
  acknowledged: SubscriptionFilter,
): SubscriptionFilter => select(asked, (flag) => acknowledged[flag] === true, namesIn(acknowledged))

/** What was asked for and not granted. */
export const withheldOf = (
  asked: SubscriptionFilter,
  granted: SubscriptionFilter,
): SubscriptionFilter => {
  const isGranted = namesIn(granted)
  return select(
    asked,
    (flag) => granted[flag] !== true,
    (list, name) => !isGranted(list, name),
  )
}

/** A filter without the names in it: what a server can hardly refuse that offers it. */
export const listsOnly = (filter: SubscriptionFilter): SubscriptionFilter =>
  select(
    filter,
    () => true,
    () => false,
  )

/** What either filter names. */
export const union = (one: SubscriptionFilter, other: SubscriptionFilter): SubscriptionFilter => {
  const merged: Record<string, unknown> = {}
  for (const flag of flags) if (one[flag] === true || other[flag] === true) merged[flag] = true
  for (const list of lists) {
    const names = new Set([...(one[list] ?? []), ...(other[list] ?? [])])
    if (names.size > 0) merged[list] = [...names].toSorted()
  }
  return merged
}

/** A filter for people; without the names in it, which may be bearer-like. */
export const describe = (filter: SubscriptionFilter): string =>
  Object.entries(filter)
    .map(([member, asked]) => (Array.isArray(asked) ? `${member} (${asked.length})` : member))
    .join(", ")

/** Whether a server has agreed to tell of the changes of a list. */
export const tellsOfList = (granted: SubscriptionFilter, notice: ListNotice): boolean =>
  granted[asksFor[notice]] === true

/** Whether a notification of a change is one of those that were granted (V26-SUB-02). */
export const grants = (
  granted: SubscriptionFilter,
  method: ChangeMethod,
  params: JsonRpcNotification["params"],
): boolean => {
  const member = asksFor[method]
  if (member !== "resourceSubscriptions" && member !== "taskIds") return granted[member] === true
  const name = isJsonObject(params) ? params[member === "taskIds" ? "taskId" : "uri"] : undefined
  if (typeof name !== "string") return false
  return member === "taskIds"
    ? granted.taskIds?.includes(name) === true
    : granted.resourceSubscriptions?.some((uri) => liesUnder(name, uri)) === true
}
