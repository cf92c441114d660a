import { nameMap } from "../name/name-map.js"
import { assignNames } from "../name/assign-names.js"
import type { Format } from "../provider/format.js"
import { nameRules } from "../provider/name-rule.js"
import { arrange, type NamedSchema } from "./format/arrange.js"
import type { ToolsOf } from "./format/tools.js"
import { settingsOf, type ProjectionOptions } from "./options.js"
import { projectTool, type ProjectedTool } from "./project-tool.js"
import type { NamedTool, Projection, ReportEntry, ServerTool } from "./projection.js"
import { StrictAllowance } from "./step/strict-limits.js"

const named = (
  { server, tool }: ServerTool,
  name: string,
  { widened, renamed }: ProjectedTool,
): NamedTool => ({
  server,
  tool,
  name,
  ...(widened.length > 0 ? { widened } : {}),
  ...(renamed.size > 0 ? { renamed } : {}),
})

/**
 * The tools of many servers as one model API takes them, and a report of everything that had to be changed.
 * The same tools always give the same result; their definitions are left as they are, nothing is fetched, and
 * nothing that a server sends can make it throw: a tool that cannot be sent is rejected, alone.
 *
 * What the schemas lose is not lost for good: check arguments against the server's own schema before the call.
 *
 * @example
 * const tool = {
 *   name: "wait",
 *   inputSchema: { type: "object", properties: { ms: { type: "integer", exclusiveMinimum: 0 } } },
 * } as const
 * const { tools, names, report } = project([{ server: "clock", tool }], "gemini")
 * tools // [{ functionDeclarations: [{ name: "clock__wait", parameters: { type: "OBJECT", … } }] }]
 * names.toolOf("clock__wait")?.tool // what to call, and on which server
 * report[0]?.pointer // "/inputSchema/properties/ms/exclusiveMinimum"
 */
export const project = <F extends Format>(
  tools: ReadonlyArray<ServerTool>,
  format: F,
  options: ProjectionOptions = {},
): Projection<ToolsOf<F>> => {
  const settings = settingsOf(format, options)
  const allowance = new StrictAllowance(settings.rules.strict?.limits ?? {})
  const assigned = assignNames(tools, nameRules[format])
  const report: Array<ReportEntry> = [...assigned.report]
  const all: Array<NamedTool> = []
  const schemas: Array<NamedSchema> = []
  tools.forEach((tool, index) => {
    const name = assigned.names[index]
    if (name === undefined) return
    const { projected, report: entries } = projectTool(tool, settings, allowance)
    report.push(...entries)
    if (projected === undefined) return
    all.push(named(tool, name, projected))
    schemas.push({ ...projected, name })
  })
  return { tools: arrange(format, schemas, settings.geminiField), names: nameMap(all), report }
}
