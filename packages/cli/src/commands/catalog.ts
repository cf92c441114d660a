import {
  openCatalog,
  type PromiseCatalog,
  type ServerSpec,
  type ServerStatus,
} from "@entente/catalog"
import type { ConfigFinding } from "@entente/catalog/config"
import type { CatalogInvocation } from "../catalog-arguments.js"
import { catalogServers } from "../catalog-servers.js"
import { exitCodeOf, exitCodes, type ExitCode } from "../exit-code.js"
import type { Io } from "../io.js"
import { catalogSummary, catalogText } from "../render/catalog.js"
import { catalogJson } from "../render/catalog-json.js"
import { findingLine } from "../render/findings.js"
import { jsonLine, jsonText } from "../render/json-line.js"
import { LiveLine } from "../render/live-line.js"
import { reportLines } from "../render/projection.js"
import { styleOf } from "../render/style.js"
import { widthFor } from "../render/table.js"
import { watchCatalog } from "./watch-catalog.js"

/** The first server that shows no list decides: the others have theirs all the same. */
const exitCodeFor = (
  status: ReadonlyArray<ServerStatus>,
  faults: ReadonlyArray<ConfigFinding>,
): ExitCode => {
  const fallen = status.find(({ state, trouble }) => trouble !== undefined && state !== "live")
  if (fallen?.trouble !== undefined) {
    return exitCodeOf(fallen.trouble.code) ?? exitCodes.protocol
  }
  return faults.some(({ severity }) => severity === "error") ? exitCodes.findings : exitCodes.ok
}

/** Tells how many servers are there while the others are waited for. */
const untilSettled = async (catalog: PromiseCatalog, io: Io): Promise<void> => {
  const live = new LiveLine(io.stderr)
  const tell = () => live.show(`${catalogSummary(catalog.status, catalog.tools)} …`)
  const told = setInterval(tell, 200)
  try {
    tell()
    await catalog.settled({ signal: io.signal })
  } finally {
    clearInterval(told)
    live.clear()
  }
}

const show = (
  catalog: PromiseCatalog,
  { json, color, format, strictMode }: CatalogInvocation,
  faults: ReadonlyArray<ConfigFinding>,
  io: Io,
): void => {
  const projection =
    format === undefined ? undefined : catalog.project(format, { strict: strictMode })
  const { status, tools } = catalog
  if (json) {
    const whole = catalogJson(status, tools, projection)
    io.stdout.write(`${jsonLine({ ...whole, faults })}\n`)
  } else if (projection === undefined) {
    const style = styleOf(io.stdout, io, color)
    const lines = catalogText(status, tools, Date.now(), widthFor(io.stdout), style)
    io.stdout.write(`${lines.join("\n")}\n`)
  } else {
    // On stdout nothing else, so that it can be used as it is.
    io.stdout.write(`${jsonText(projection.tools ?? null)}\n`)
    const style = styleOf(io.stderr, io, color)
    const lines = reportLines(projection.report, style)
    if (lines.length > 0) io.stderr.write(`${lines.join("\n")}\n`)
  }
}

/** A time limit of the command line stands above those of the file. */
const within = (
  servers: Readonly<Record<string, ServerSpec>>,
  timeoutMs: number | undefined,
): Readonly<Record<string, ServerSpec>> => {
  if (timeoutMs === undefined) return servers
  return Object.fromEntries(
    Object.entries(servers).map(([id, server]) => [
      id,
      {
        ...server,
        connect: { ...server.connect, timeoutMs, handshakeMs: timeoutMs, installMs: timeoutMs },
      },
    ]),
  )
}

/** Connects to every server of a configuration and shows what they come to. */
export const catalog = async (invocation: CatalogInvocation, io: Io): Promise<ExitCode> => {
  const { servers, faults } = await catalogServers(invocation, io)
  if (!invocation.json) {
    const style = styleOf(io.stderr, io, invocation.color)
    for (const fault of faults) io.stderr.write(`${findingLine(fault, style)}\n`)
  }
  const opened = await openCatalog(within(servers, invocation.timeoutMs), { signal: io.signal })
  try {
    if (invocation.watch) return await watchCatalog(opened, invocation, io)
    await untilSettled(opened, io)
    show(opened, invocation, faults, io)
    return exitCodeFor(opened.status, faults)
  } finally {
    await opened.close()
  }
}
