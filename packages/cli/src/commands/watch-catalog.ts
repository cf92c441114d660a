import type { CatalogChange, PromiseCatalog } from "@entente/catalog"
import type { Presentation } from "../presentation.js"
import { exitCodes, type ExitCode } from "../exit-code.js"
import type { Io } from "../io.js"
import { changeLines } from "../render/catalog-change.js"
import { catalogJson, changeJson } from "../render/catalog-json.js"
import { catalogText, catalogSummary } from "../render/catalog.js"
import { jsonLine } from "../render/json-line.js"
import { LiveTable } from "../render/live-table.js"
import { serverTable } from "../render/server-table.js"
import { styleOf } from "../render/style.js"
import { widthFor } from "../render/table.js"

/** Shows what is there, and what becomes of it. */
interface Display {
  readonly begin: () => void
  readonly tell: (change: CatalogChange) => void
  readonly end: () => void
}

const lines = (catalog: PromiseCatalog, io: Io): Display => ({
  begin: () => {
    const { status, tools } = catalog
    io.stdout.write(`${jsonLine({ kind: "catalog", ...catalogJson(status, tools) })}\n`)
  },
  tell: (change) => io.stdout.write(`${jsonLine(changeJson(change))}\n`),
  end: () => {},
})

const screen = (catalog: PromiseCatalog, color: boolean, io: Io): Display => {
  const table = new LiveTable(io.stdout)
  const style = styleOf(io.stdout, io, color)
  const width = widthFor(io.stdout)
  const now = () => Date.now()
  const show = (said: ReadonlyArray<string>) => {
    const { status, tools } = catalog
    table.show(said, [
      "",
      style.bold(catalogSummary(status, tools)),
      ...serverTable(status, now(), width, style),
    ])
  }
  // The seconds until a server is tried again are shown.
  const ticking = table.isLive ? setInterval(() => show([]), 1_000) : undefined
  return {
    begin: () =>
      show(table.isLive ? [] : catalogText(catalog.status, catalog.tools, now(), width, style)),
    tell: (change) => show(changeLines(change, now(), style)),
    end: () => clearInterval(ticking),
  }
}

/** Shows every change as it comes, until the user interrupts. */
export const watchCatalog = async (
  catalog: PromiseCatalog,
  { json, color }: Presentation,
  io: Io,
): Promise<ExitCode> => {
  const display = json ? lines(catalog, io) : screen(catalog, color, io)
  const leave = () => void catalog.close()
  io.signal.addEventListener("abort", leave, { once: true })
  try {
    const changes = catalog.changes[Symbol.asyncIterator]()
    // Asked for before anything is shown, so that no change falls between the two.
    let next = changes.next()
    display.begin()
    for (let change = await next; change.done !== true; change = await next) {
      display.tell(change.value)
      next = changes.next()
    }
    return exitCodes.interrupted
  } finally {
    display.end()
    io.signal.removeEventListener("abort", leave)
  }
}
