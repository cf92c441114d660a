import type { ServerState, ServerStatus } from "@entente/catalog"
import type { Style } from "./style.js"
import { table } from "./table.js"

/** How a state is set off: what a person need not look at is not. */
const paints: Readonly<Record<ServerState, keyof Style>> = {
  disabled: "dim",
  queued: "dim",
  starting: "dim",
  connecting: "dim",
  listing: "dim",
  unavailable: "bad",
  live: "good",
  stale: "warning",
  recovering: "warning",
  waiting: "warning",
  failed: "bad",
  closed: "dim",
}

/** `live`, or `waiting 12 s` for its next try. */
const stateText = (status: ServerStatus, now: number): string => {
  if (status.state !== "waiting") return status.state
  return `waiting ${Math.max(0, Math.ceil((status.retryAt - now) / 1_000))} s`
}

/** `12`, or `10 of 12` where some do not reach a model. */
const toolsText = ({ counts: { listed, exposed }, list }: ServerStatus): string => {
  if (list === undefined) return ""
  return exposed === listed ? String(listed) : `${exposed} of ${listed}`
}

/** What is wrong, or else where the tools are lost on their way, or else where the server is. */
const remark = ({ trouble, list, counts, target }: ServerStatus): string => {
  if (trouble !== undefined) return trouble.message
  if (list?.reason !== undefined && list.status !== "unsupported") return list.reason.message
  if (list?.status === "unsupported") return "offers no tools"
  const { listed, accepted, projected, exposed } = counts
  if (list === undefined || exposed === listed) return target
  return [
    `listed ${listed}`,
    `accepted ${accepted}`,
    ...(projected === undefined ? [] : [`projected ${projected}`]),
    `exposed ${exposed}`,
  ].join(" → ")
}

/** One line for each server: how it stands, and how many of its tools can be used. */
export const serverTable = (
  status: ReadonlyArray<ServerStatus>,
  now: number,
  width: number,
  style: Style,
): ReadonlyArray<string> => {
  const rows = status.map((server) => [
    server.id,
    stateText(server, now),
    toolsText(server),
    server.protocolVersion ?? "",
    remark(server),
  ])
  const [head = "", ...lines] = table(
    ["SERVER", "STATE", "TOOLS", "PROTOCOL", "REMARK"],
    rows,
    width,
    style,
  )
  // Painted afterwards, because colours have no width.
  return [
    head,
    ...lines.map((line, index) => {
      const server = status[index]
      return server === undefined ? line : paintState(line, server, now, style)
    }),
  ]
}

const paintState = (line: string, server: ServerStatus, now: number, style: Style): string => {
  const text = stateText(server, now)
  const at = line.indexOf(text, line.indexOf("  "))
  if (at < 0) return line
  return `${line.slice(0, at)}${style[paints[server.state]](text)}${line.slice(at + text.length)}`
}
