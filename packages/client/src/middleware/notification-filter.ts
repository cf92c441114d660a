import { isJsonObject, type JsonRpcNotification } from "@entente/protocol"
import type { NoteBook } from "../wire/note-book.js"
import type { Middleware } from "./middleware.js"

type Tell = (notification: JsonRpcNotification) => void

/**
 * Lets layers see notifications before anybody hears them, the last layer first, which is next to the wire.
 * What a layer fails on goes no further: it may be there to keep something out.
 */
export const filterNotifications = (
  middleware: ReadonlyArray<Middleware>,
  notes: NoteBook,
  tell: Tell,
): Tell =>
  middleware.reduce<Tell>((outer, { notification: filter }) => {
    if (filter === undefined) return outer
    return (notification) => {
      const filtered = apply(filter, notification)
      if (filtered === "failed") {
        notes.add({ code: "middleware-failed", detail: notification.method })
      } else if (filtered !== undefined) outer(filtered)
    }
  }, tell)

const apply = (
  filter: NonNullable<Middleware["notification"]>,
  notification: JsonRpcNotification,
): JsonRpcNotification | undefined | "failed" => {
  try {
    const given: unknown = filter(notification)
    if (given === undefined) return undefined
    // Programs without types may give anything, a promise for example.
    const isNotification = isJsonObject(given) && typeof given["method"] === "string"
    return isNotification ? (given as unknown as JsonRpcNotification) : "failed"
  } catch {
    return "failed"
  }
}
