import { project, readArguments, type ServerTool } from "@entente/catalog"

/** What goes into a request to Anthropic's API, and the way back from what the model calls. */
export const forAnthropic = (all: ReadonlyArray<ServerTool>) => {
  const { tools, names, report } = project(all, "anthropic", { strict: true })
  return {
    request: tools === undefined ? {} : { tools },
    changes: report.map(({ kind, tool, pointer }) => `${tool}${pointer}: ${kind}`),
    read: async (name: string, input: unknown) => {
      const named = names.toolOf(name)
      if (named === undefined) return undefined
      const { server, tool } = named
      return { server, tool: tool.name, ...(await readArguments(named, input)) }
    },
  }
}
