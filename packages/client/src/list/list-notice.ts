import type { PagedMethod } from "@entente/protocol"

/** The notifications with which a server says that a list has changed. */
export const listNotices = [
  "notifications/tools/list_changed",
  "notifications/prompts/list_changed",
  "notifications/resources/list_changed",
] as const

export type ListNotice = (typeof listNotices)[number]

/** Which notification speaks for which list; that of resources for templates too (V25-LIST-03). */
export const noticeOf: { readonly [Method in PagedMethod]: ListNotice | undefined } = {
  "tools/list": "notifications/tools/list_changed",
  "prompts/list": "notifications/prompts/list_changed",
  "resources/list": "notifications/resources/list_changed",
  "resources/templates/list": "notifications/resources/list_changed",
  "tasks/list": undefined,
}
