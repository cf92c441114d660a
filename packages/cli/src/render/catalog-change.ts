import type { CatalogChange } from "@entente/catalog"
import type { Style } from "./style.js"
import { oneLine } from "./visible-text.js"

const clock = (now: number): string => new Date(now).toISOString().slice(11, 19)

/** As many tools as are named one by one: a server that comes may bring thousands. */
const mostNamed = 8

/** What came, or what went. */
const named = (sign: string, tools: ReadonlyArray<{ readonly id: string }>) => {
  const ids = tools.map(({ id }) => oneLine(id))
  if (ids.length <= mostNamed) return ids.map((id) => `${sign} ${id}`)
  return [`${sign} ${ids.length} tools: ${ids.slice(0, 3).join(", ")} …`]
}

/**
 * One line for a server that stands differently, one for each tool that came or went, unless there are many, and one
 * for each that is another one now.
 */
export const changeLines = (
  change: CatalogChange,
  now: number,
  style: Style,
): ReadonlyArray<string> => {
  const time = style.dim(clock(now))
  if (change.kind === "status") {
    const { server, status } = change
    const why = status.trouble === undefined ? "" : `: ${oneLine(status.trouble.message)}`
    return [`${time}  ${oneLine(server)} is ${status.state}${why}`]
  }
  const { added, removed, changed } = change
  const others = changed.map(
    ({ id, members }) =>
      `${style.warning("~")} ${oneLine(id)} has another ${members.map(oneLine).join(", ")}`,
  )
  return [...named(style.good("+"), added), ...named(style.bad("-"), removed), ...others].map(
    (line) => `${time}  ${line}`,
  )
}
