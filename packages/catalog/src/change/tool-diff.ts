import { canonicalJson } from "@entente/client"
import type { CatalogTool } from "../tool/catalog-tool.js"

/** A tool whose definition is another one than before: a host may want to ask its user again. */
export interface ChangedTool {
  readonly id: string
  readonly before: CatalogTool
  readonly after: CatalogTool
  /** The members of the definition that differ, for example `description`. */
  readonly members: ReadonlyArray<string>
  readonly fingerprint: { readonly before: string; readonly after: string }
}

export interface ToolDiff {
  readonly added: ReadonlyArray<CatalogTool>
  readonly removed: ReadonlyArray<CatalogTool>
  readonly changed: ReadonlyArray<ChangedTool>
}

const membersThatDiffer = (before: object, after: object): ReadonlyArray<string> => {
  const old = new Map<string, unknown>(Object.entries(before))
  const now = new Map<string, unknown>(Object.entries(after))
  return [...new Set([...old.keys(), ...now.keys()])].filter(
    (member) =>
      old.has(member) !== now.has(member) ||
      canonicalJson(old.get(member)) !== canonicalJson(now.get(member)),
  )
}

const changedTool = (before: CatalogTool, after: CatalogTool): ChangedTool => ({
  id: after.id,
  before,
  after,
  members: membersThatDiffer(before.tool, after.tool),
  fingerprint: { before: before.fingerprint, after: after.fingerprint },
})

/** What became of the tools of one server. A tool that has not changed is the very same object in both. */
export const toolDiff = (
  before: ReadonlyArray<CatalogTool>,
  after: ReadonlyArray<CatalogTool>,
): ToolDiff => {
  const old = new Map(before.map((tool) => [tool.id, tool]))
  const added: Array<CatalogTool> = []
  const changed: Array<ChangedTool> = []
  for (const tool of after) {
    const was = old.get(tool.id)
    old.delete(tool.id)
    if (was === undefined) added.push(tool)
    else if (was !== tool) changed.push(changedTool(was, tool))
  }
  return { added, removed: [...old.values()], changed }
}
