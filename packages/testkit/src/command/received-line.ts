import { isJsonObject } from "@entente/protocol"
import type { Arrival } from "../arrival.js"
import { visibleText } from "./visible-text.js"

const head = ({ kind, httpMethod, path, signal, closeCode }: Arrival): string =>
  [httpMethod, path, kind, signal, closeCode].filter((part) => part !== undefined).join(" ")

const body = ({ message, text }: Arrival): string => {
  if (!isJsonObject(message)) return text ?? (message === undefined ? "" : JSON.stringify(message))
  const { jsonrpc: _, id, method, params, ...rest } = message
  return [
    method,
    id === undefined ? undefined : `id=${JSON.stringify(id)}`,
    params === undefined ? undefined : JSON.stringify(params),
    Object.keys(rest).length === 0 ? undefined : JSON.stringify(rest),
  ]
    .filter((part) => part !== undefined)
    .join(" ")
}

/**
 * One line for something that a client did.
 *
 * @example
 * receivedLine(arrival) // "12:00:01.250  POST /mcp request tools/list id=2 {}"
 */
export const receivedLine = (arrival: Arrival): string => {
  const time = new Date(arrival.at).toISOString().slice(11, 23)
  const said = arrival.kind === "disconnect" ? "" : body(arrival)
  return `${time}  ${visibleText(`${head(arrival)} ${said}`.trimEnd())}`
}
