import type { ServerStatus } from "../server/server-status.js"
import type { CatalogTools } from "../tool/catalog-tools.js"
import type { Withheld } from "../tool/server-tools.js"
import type { Projection, ServerTool } from "./projection.js"

/** The tools of a catalog in the form that one model API takes, and which version of them it was made of. */
export interface CatalogProjection<Tools = unknown> extends Projection<Tools> {
  /** `version` of the tools: where the catalog has another one by now, this is old (C125). */
  readonly version: number
}

/** Makes a projection of tools. */
export type Projector<Tools> = (tools: ReadonlyArray<ServerTool>) => Projection<Tools>

export const projectionOf = <Tools>(
  { version, tools }: CatalogTools,
  projector: Projector<Tools>,
): CatalogProjection<Tools> => ({ ...projector(tools), version })

/** What a projection made of the tools of one server. */
interface Verdict {
  readonly projected: number
  readonly rejected: ReadonlyArray<Withheld>
}

const none: Verdict = { projected: 0, rejected: [] }

/** What a projection made of the tools, by server. */
export const verdictsOf = ({ names, report }: Projection): ReadonlyMap<string, Verdict> => {
  const verdicts = new Map<string, Verdict>()
  const of = (server: string): Verdict => verdicts.get(server) ?? none
  for (const { server } of names.all) {
    const { projected, rejected } = of(server)
    verdicts.set(server, { projected: projected + 1, rejected })
  }
  for (const { kind, server, tool, pointer, detail } of report) {
    if (kind !== "rejected") continue
    const { projected, rejected } = of(server)
    const withheld: Withheld = { kind, tool, reason: detail, pointer }
    verdicts.set(server, { projected, rejected: [...rejected, withheld] })
  }
  return verdicts
}

/** The status of a server with what the newest projection says of it. */
export const judged = (
  status: ServerStatus,
  verdicts: ReadonlyMap<string, Verdict> | undefined,
): ServerStatus => {
  if (verdicts === undefined) return status
  const { projected, rejected } = verdicts.get(status.id) ?? none
  const { counts } = status
  const exposed = Math.max(0, counts.exposed - rejected.length)
  return {
    ...status,
    counts: { ...counts, projected, exposed },
    withheld: [...status.withheld, ...rejected],
  }
}
