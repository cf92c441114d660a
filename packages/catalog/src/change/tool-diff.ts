import { differenceOf, type ChangedItem, type ListDifference } from "@entente/client"
import type { Tool } from "@entente/protocol"
import type { CatalogTool } from "../tool/catalog-tool.js"

/** A tool whose definition is another one than before: a host may want to ask its user again. */
export interface ChangedTool extends Pick<ChangedItem<Tool>, "members" | "fingerprint"> {
  readonly id: string
  readonly before: CatalogTool
  readonly after: CatalogTool
}

/** What became of the tools of one server. */
export interface ToolDiff extends Pick<
  ListDifference<CatalogTool>,
  "added" | "removed" | "reordered"
> {
  readonly changed: ReadonlyArray<ChangedTool>
}

const keyOf = ({ name }: Tool): string => name

type ByName = ReadonlyMap<string, CatalogTool>

const byName = (tools: ReadonlyArray<CatalogTool>): ByName =>
  new Map(tools.map((each) => [keyOf(each.tool), each]))

/** Looks tools up that are there. */
const among =
  (tools: ByName) =>
  (tool: Tool): CatalogTool =>
    tools.get(keyOf(tool)) as CatalogTool // the difference is one of these very tools

/** How the tools of one server differ from what they were. */
export const toolDiff = (
  before: ReadonlyArray<CatalogTool>,
  after: ReadonlyArray<CatalogTool>,
): ToolDiff => {
  const was = among(byName(before))
  const is = among(byName(after))
  const { added, removed, changed, reordered } = differenceOf(
    before.map(({ tool }) => tool),
    after.map(({ tool }) => tool),
    keyOf,
  )
  return {
    added: added.map(is),
    removed: removed.map(was),
    changed: changed.map(({ members, fingerprint, ...pair }) => ({
      id: is(pair.after).id,
      before: was(pair.before),
      after: is(pair.after),
      members,
      fingerprint,
    })),
    reordered,
  }
}
