import type { CatalogChange } from "@entente/catalog"
import type { Style } from "./style.js"
import { oneLine } from "./visible-text.js"

const clock = (now: number): string => new Date(now).toISOString().slice(11, 19)

/** One line for a server that stands differently, and one for each tool that came, went or is another one. */
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
  return [
    ...added.map(({ id }) => `${time}  ${style.good("+")} ${oneLine(id)}`),
    ...removed.map(({ id }) => `${time}  ${style.bad("-")} ${oneLine(id)}`),
    ...changed.map(
      ({ id, members }) =>
        `${time}  ${style.warning("~")} ${oneLine(id)} has another ${members.map(oneLine).join(", ")}`,
    ),
  ]
}
