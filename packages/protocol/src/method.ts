import { opens, type Gate } from "./gate.js"
import type { JsonObject } from "./json-rpc.js"
import type { NotificationRow, RequestRow, Sender } from "./method-row.js"
import { notifications } from "./notification.js"
import { requests } from "./request.js"
import { revisions, type Era, type Revision } from "./revision.js"
import type { Shape } from "./schema/open.js"

type Requests = typeof requests
type Notifications = typeof notifications
type Methods = Requests & Notifications

/** A request of either era. */
export type RequestMethod = keyof Requests

/** A notification of either era. */
export type NotificationMethod = keyof Notifications

/** Any method this package knows. */
export type Method = keyof Methods

type SentBy<Table, Who extends Sender> = {
  [M in keyof Table]: Table[M] extends { readonly sender: Who | "both" } ? M : never
}[keyof Table]

/** A request that a client may send. */
export type ClientMethod = SentBy<Requests, "client">

/** A request that a server may send; a modern one sends none (V26-ENV-07). */
export type ServerMethod = SentBy<Requests, "server">

/** A notification that a client may send. */
export type ClientNotification = SentBy<Notifications, "client">

/** A notification that a server may send. */
export type ServerNotification = SentBy<Notifications, "server">

type FormOf<M extends Method, E extends Era> = E extends keyof Methods[M] ? Methods[M][E] : never

type TypeOf<F, Part extends string> = F extends { readonly [P in Part]: Shape<infer T> } ? T : never

// Distributes over the eras; what the session puts into `_meta` is not the caller's business.
type Written<P> = P extends unknown ? Omit<P, "_meta"> & { readonly _meta?: JsonObject } : never

/**
 * The params of a method as a caller writes them, in one era or either. The session adds the
 * `_meta` that its era wants.
 *
 * @example
 * const params: ParamsOf<"tools/call"> = { name: "search", arguments: { query: "x" } }
 */
export type ParamsOf<M extends Method, E extends Era = Era> = Written<
  TypeOf<FormOf<M, E>, "params">
>

/** The final result of a request, in one era or either. */
export type ResultOf<M extends RequestMethod, E extends Era = Era> = TypeOf<FormOf<M, E>, "result">

/** A request whose result is a page of a list. */
export type PagedMethod = {
  [M in RequestMethod]: Requests[M] extends { readonly page: unknown } ? M : never
}[RequestMethod]

/** One item of such a list. */
export type ItemOf<M extends PagedMethod> = TypeOf<Requests[M]["page"], "item">

const requestRows: ReadonlyMap<string, RequestRow> = new Map(Object.entries(requests))
const notificationRows: ReadonlyMap<string, NotificationRow> = new Map(
  Object.entries(notifications),
)

/** Whether a method from the wire is a request known here. */
export const isRequestMethod = (method: string): method is RequestMethod => requestRows.has(method)

/** Whether a method from the wire is a notification known here. */
export const isNotificationMethod = (method: string): method is NotificationMethod =>
  notificationRows.has(method)

/**
 * Whether a request may be sent again after its answer was lost: doing it twice changes nothing
 * (V26-HTTP-09).
 */
export const isReplaySafe = (method: string): boolean =>
  requestRows.get(method)?.replaySafe === true

/** The row of a request, or nothing if the method is not known here. */
export const requestRow = (method: string): RequestRow | undefined => requestRows.get(method)

const rowOf = (method: string): RequestRow | NotificationRow | undefined =>
  requestRows.get(method) ?? notificationRows.get(method)

/** What a row says about a revision; nothing if the revision does not have the method. */
const formIn = <Form extends { readonly since: Revision }>(
  row: { readonly [E in Era]?: Form } | undefined,
  revision: Revision,
): Form | undefined => {
  const form = row?.[revisions[revision]]
  // Revisions are dates, so their order is that of their strings.
  return form !== undefined && form.since <= revision ? form : undefined
}

/** Whether a revision has the method, be it a request or a notification. */
export const existsIn = (method: string, revision: Revision): boolean =>
  formIn(rowOf(method), revision) !== undefined

/** Who may send the method in a revision; nothing if the revision does not have it. */
export const senderOf = (method: string, revision: Revision): Sender | undefined => {
  const row = rowOf(method)
  const form = formIn(row, revision)
  return form === undefined ? undefined : (form.sender ?? row?.sender)
}

/** The params of a method on the wire, or nothing if the revision does not have it. */
export const paramsSchema = (method: string, revision: Revision): Shape | undefined =>
  formIn(rowOf(method), revision)?.params

/** The final result of a request on the wire, or nothing if the revision does not have it. */
export const resultSchema = (method: string, revision: Revision): Shape | undefined =>
  formIn(requestRows.get(method), revision)?.result

/**
 * What must have been declared before the method may be sent; nothing where it needs no permission,
 * or the revision does not have it.
 */
export const gateOf = (method: string, revision: Revision): Gate | undefined => {
  const row = rowOf(method)
  const form = formIn(row, revision)
  const gate = form === undefined ? undefined : (form.gate ?? row?.gate)
  return gate?.since !== undefined && revision < gate.since ? undefined : gate
}

/**
 * The capability behind a method in a revision that has the method but no flag to declare it with: there only
 * the answer to a try can tell (V25-CAP-11).
 */
export const unflaggedCapability = (method: string, revision: Revision): string | undefined => {
  const row = rowOf(method)
  const gate = formIn(row, revision) === undefined ? undefined : row?.gate
  return gate?.since !== undefined && revision < gate.since ? gate.capability : undefined
}

/**
 * The capability that is missing, or nothing if the gate is open. A method that is not known here
 * has no gate: it is the caller's own.
 *
 * @param capabilities those of the gate's owner: for a request, of the side that would answer it.
 * @example
 * missingCapability("resources/subscribe", "2025-11-25", { resources: {} }) //
 * "resources.subscribe"
 */
export const missingCapability = (
  method: string,
  revision: Revision,
  capabilities: JsonObject,
): string | undefined => {
  const gate = gateOf(method, revision)
  return gate === undefined || opens(capabilities, gate) ? undefined : gate.capability
}
