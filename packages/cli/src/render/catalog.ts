import type { CatalogTools, ServerStatus } from "@entente/catalog"
import { serverTable } from "./server-table.js"
import type { Style } from "./style.js"
import { table } from "./table.js"
import { oneLine } from "./visible-text.js"

const count = (amount: number, one: string): string => `${amount} ${one}${amount === 1 ? "" : "s"}`

/** `2 of 3 servers live, 57 tools`. */
export const catalogSummary = (
  status: ReadonlyArray<ServerStatus>,
  { tools }: Pick<CatalogTools, "tools">,
): string => {
  const wanted = status.filter(({ state }) => state !== "disabled")
  const live = wanted.filter(({ state }) => state === "live")
  return `${live.length} of ${count(wanted.length, "server")} live, ${count(tools.length, "tool")}`
}

/** What would help each server that has failed, and which tools do not reach a model. */
const remarks = (status: ReadonlyArray<ServerStatus>, style: Style): ReadonlyArray<string> =>
  status.flatMap(({ id, trouble, withheld }) => [
    ...(trouble === undefined || trouble.hint === ""
      ? []
      : [`${style.bold("hint:")} ${oneLine(id)}: ${oneLine(trouble.hint)}`]),
    ...withheld.map(({ kind, tool, reason, pointer }) => {
      const which = tool === undefined ? "a tool without a name" : oneLine(tool)
      const where = pointer === undefined ? "" : ` at ${oneLine(pointer) || "/"}`
      return `${style.warning(kind)}: ${oneLine(id)}: ${which}: ${oneLine(reason)}${where}`
    }),
  ])

/** A catalog for people: its servers, what is to be done about them, and its tools. */
export const catalogText = (
  status: ReadonlyArray<ServerStatus>,
  tools: CatalogTools,
  now: number,
  width: number,
  style: Style,
): ReadonlyArray<string> => {
  const notes = remarks(status, style)
  const rows = tools.tools.map(({ id, tool }) => [id, tool.description ?? tool.title ?? ""])
  const indented = (lines: ReadonlyArray<string>) => lines.map((line) => `  ${line}`)
  const colliding = tools.collisions.map(
    ({ name, ids }) => `${oneLine(name)}: ${ids.map(oneLine).join(", ")}`,
  )
  return [
    `${style.bold("servers")} ${style.dim(`· ${catalogSummary(status, tools)}`)}`,
    ...indented(serverTable(status, now, width - 2, style)),
    ...(notes.length === 0 ? [] : ["", ...indented(notes)]),
    ...(rows.length === 0
      ? []
      : [
          "",
          style.bold("tools"),
          ...indented(table(["TOOL", "DESCRIPTION"], rows, width - 2, style)),
        ]),
    ...(colliding.length === 0
      ? []
      : ["", style.bold("the same name on several servers"), ...indented(colliding)]),
  ]
}
