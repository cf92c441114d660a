import { openCatalog, type Servers, type ToolsChange } from "@entente/catalog"
import type { CallToolResult } from "@entente/protocol"

/** What a host tells its user of tools that are no longer what was agreed to. */
export const warnings = ({ changed }: ToolsChange): ReadonlyArray<string> =>
  changed.map(({ id, members }) => `${id} has another ${members.join(" and ")} now. Still yours?`)

/** Asks whichever server has a tool for it. */
export const ask = async (
  servers: Servers,
  what: string,
  args: Readonly<Record<string, string>>,
): Promise<CallToolResult | undefined> => {
  // There as soon as the first server's tools are, whatever becomes of the others.
  await using catalog = await openCatalog(servers)
  await catalog.settled({ signal: AbortSignal.timeout(5_000) }).catch(() => {})
  const [found] = catalog.search(what)
  return found === undefined ? undefined : catalog.call(found.tool.id, args)
}
