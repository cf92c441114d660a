import { isJsonObject, type Quarantined } from "@entente/protocol"
import type { ListCommand } from "../arguments.js"
import type { Style } from "./style.js"
import { table } from "./table.js"
import { oneLine } from "./visible-text.js"

/** One list as it is shown: the part that a snapshot and a listing have in common. */
export interface ShownList {
  readonly status: "complete" | "partial" | "unsupported" | "unavailable"
  readonly pages: number
  readonly items: ReadonlyArray<unknown>
  readonly quarantined: ReadonlyArray<Quarantined>
  readonly reason?: { readonly code: string; readonly message: string }
}

const member = (item: unknown, name: string): string => {
  const value = isJsonObject(item) ? item[name] : undefined
  return typeof value === "string" ? value : ""
}

/** What an item is called and what it is, in one cell. */
const about = (item: unknown): string => member(item, "description") || member(item, "title")

const promptArguments = (item: unknown): string => {
  const list = isJsonObject(item) ? item["arguments"] : undefined
  if (!Array.isArray(list)) return ""
  return list
    .map((one: unknown) => {
      const required = isJsonObject(one) && one["required"] === true
      return required ? member(one, "name") : `[${member(one, "name")}]`
    })
    .join(" ")
}

type Column = readonly [head: string, cell: (item: unknown) => string]

const name: Column = ["NAME", (item) => member(item, "name")]
const type: Column = ["TYPE", (item) => member(item, "mimeType")]
const description: Column = ["DESCRIPTION", about]

const columns: Readonly<Record<ListCommand, ReadonlyArray<Column>>> = {
  tools: [name, description],
  prompts: [name, ["ARGUMENTS", promptArguments], description],
  resources: [["URI", (item) => member(item, "uri")], type, description],
  templates: [["URI TEMPLATE", (item) => member(item, "uriTemplate")], type, description],
}

const count = (amount: number, one: string): string => `${amount} ${one}${amount === 1 ? "" : "s"}`

const heading = (kind: ListCommand, list: ShownList, style: Style): string => {
  const { status, pages, items } = list
  const amount = `${count(items.length, "item")} on ${count(pages, "page")}`
  switch (status) {
    case "complete":
      return `${style.bold(kind)} ${style.dim(`· ${amount}`)}`
    case "unsupported":
      return `${style.bold(kind)} ${style.dim("· not offered by this server")}`
    case "partial":
      return `${style.bold(kind)} · ${style.warning("partial")} ${style.dim(`· ${amount}`)}`
    case "unavailable":
      return `${style.bold(kind)} · ${style.bad("unavailable")}`
  }
}

const indent = (lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.map((line) => `  ${line}`)

/** A list for people: how much there is, why it is not all, the items, and what was set aside. */
export const listing = (
  kind: ListCommand,
  list: ShownList,
  width: number,
  style: Style,
): ReadonlyArray<string> => {
  // A column that is empty in every row says nothing.
  const shown = columns[kind].filter(([, cell]) => list.items.some((item) => cell(item) !== ""))
  const rows = list.items.map((item) => shown.map(([, cell]) => cell(item)))
  return [
    heading(kind, list, style),
    ...(list.reason === undefined || list.status === "unsupported"
      ? []
      : [`  ${oneLine(list.reason.message)}`]),
    ...(rows.length === 0
      ? []
      : indent(
          table(
            shown.map(([head]) => head),
            rows,
            width - 2,
            style,
          ),
        )),
    ...list.quarantined.map(({ page, index, name: called, pointer, reason }) => {
      const which = called === undefined ? "" : ` "${oneLine(called)}"`
      const where = `page ${page + 1}, item ${index + 1}`
      return `  ${style.warning("set aside")}:${which} (${where}): ${oneLine(reason)} at ${oneLine(pointer) || "/"}`
    }),
  ]
}
