import { project, type Format } from "@entente/catalog"
import { toolsIn, type ProjectionView } from "@entente/doctor"
import type { TraceEvent } from "@entente/trace"

/** What a model API would not take of the tools that a trace shows. */
export const projectionView = (
  trace: ReadonlyArray<TraceEvent>,
  format: Format,
): ProjectionView => {
  const tools = toolsIn(trace).map((tool) => ({ server: "server", tool }))
  const rejected = new Map<string, string>()
  for (const { kind, tool, detail } of project(tools, format).report) {
    if (kind === "rejected" && !rejected.has(tool)) rejected.set(tool, detail)
  }
  return { format, rejected: [...rejected].map(([tool, why]) => ({ tool, why })) }
}
