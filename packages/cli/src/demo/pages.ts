import { rpcCode, type JsonObject } from "@entente/protocol"
import { Fault } from "./fault.js"

/** Small, so that a list of nine already shows how paging works. */
const pageSize = 5

const cursorAt = (offset: number): string => Buffer.from(`from ${offset}`).toString("base64url")

const offsetOf = (cursor: unknown, length: number): number => {
  if (cursor === undefined) return 0
  for (let offset = pageSize; offset < length; offset += pageSize) {
    if (cursor === cursorAt(offset)) return offset
  }
  throw new Fault(rpcCode.invalidParams, "This cursor was never given out")
}

/** One page of a list, with `nextCursor` when there are more; a bad cursor is −32602 (V26-PAGE-05). */
export const page = (
  member: string,
  items: ReadonlyArray<JsonObject>,
  params: JsonObject,
): JsonObject => {
  const offset = offsetOf(params["cursor"], items.length)
  const end = offset + pageSize
  return {
    [member]: items.slice(offset, end),
    ...(end < items.length ? { nextCursor: cursorAt(end) } : {}),
  }
}
