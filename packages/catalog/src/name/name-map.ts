import type { NamedTool, NameMap } from "../projection/projection.js"

/**
 * The way from a model's names to tools, and back. Where a name, or a tool, comes twice, the first counts.
 *
 * @example
 * const map = nameMap([
 *   { server: "s1", name: "s1__notify", tool: { name: "notify", inputSchema: { type: "object" } } },
 * ])
 * map.toolOf("s1__notify")?.tool.name // "notify"
 * map.nameOf("s1", "notify") // "s1__notify"
 */
export const nameMap = (named: ReadonlyArray<NamedTool>): NameMap => {
  const byName = new Map<string, NamedTool>()
  const byServer = new Map<string, Map<string, string>>()
  for (const each of named) {
    const { server, tool, name } = each
    if (!byName.has(name)) byName.set(name, each)
    const names = byServer.get(server) ?? new Map<string, string>()
    byServer.set(server, names)
    if (!names.has(tool.name)) names.set(tool.name, name)
  }
  return {
    toolOf: (name) => byName.get(name),
    nameOf: (server, tool) => byServer.get(server)?.get(tool),
    all: named,
  }
}
