import { dirname } from "node:path"
import type { ClientKind } from "../client/client-kind.js"
import { pathOf, type Surroundings } from "../client/locations.js"
import { jsonWithComments } from "../client/shape.js"
import type { ConfigNode } from "../document/node.js"
import { readDocument } from "../document/read-document.js"
import { findingCodes, type ConfigFinding } from "../finding.js"
import { isFile } from "../files/find-configs.js"
import { readConfigFile } from "../files/load-config.js"
import { applyRule, nodeAt, type Asked, type ToolNames } from "./apply-rule.js"
import { hiding } from "./hiding.js"
import type { HidingPlace, HidingRule } from "./hiding-row.js"

/** Where something stands. */
export interface MemberPlace {
  /** As people look for it: `mcp.excluded`. */
  readonly member: string
  readonly path: string
  /** From 1, where the format shows it. */
  readonly line?: number
}

/** Something outside a server's entry that keeps it, or tools of it, from the model. */
export type Hidden = MemberPlace &
  (
    | { readonly kind: "off" }
    /** Nobody has approved it; the place is one where an approval would stand. */
    | { readonly kind: "not-approved" }
    | ({ readonly kind: "allow" | "deny" } & ToolNames)
  )

/** What the files of a client say, read once. */
export interface HidingReader {
  readonly of: (asked: Omit<Asked, "cwd">) => ReadonlyArray<Hidden>
  /** Files that are there and cannot be read. */
  readonly faults: ReadonlyArray<ConfigFinding>
}

interface ReadPlace {
  readonly path: string
  readonly root: ConfigNode | undefined
  readonly rules: ReadonlyArray<HidingRule>
}

const memberName = ({ at }: HidingRule): string => {
  const names = at.filter((name) => !name.startsWith("{"))
  if (at.includes("{server}")) return `${names.join(".")} of this server`
  return at.includes("{cwd}") ? `${names.at(-1) ?? ""} of this project` : names.join(".")
}

const unreadable = (client: ClientKind, path: string, why: string): ConfigFinding => ({
  code: "unreadable",
  severity: findingCodes.unreadable,
  client,
  path,
  pointer: "",
  message: `The file cannot be read: ${why}.`,
})

const readPlace = (
  { files, format, rules }: HidingPlace,
  client: ClientKind,
  around: Surroundings,
  faults: Array<ConfigFinding>,
): ReadonlyArray<ReadPlace> =>
  files.flatMap((file) => {
    const path = pathOf(file, around)
    if (path === undefined) return []
    if (!isFile(path)) return [{ path, root: undefined, rules }]
    const read = readConfigFile(path, client)
    if ("fault" in read) {
      faults.push(read.fault)
      return []
    }
    const { root, troubles } = readDocument(
      read.text,
      format === "json" ? jsonWithComments : { kind: format },
    )
    const [trouble] = troubles
    if (root === undefined && read.text.trim() !== "" && trouble !== undefined) {
      faults.push(unreadable(client, path, trouble.detail))
    }
    return [{ path, root, rules }]
  })

/** A folder and those above it. */
const withParents = (folder: string): ReadonlyArray<string> => {
  const parent = dirname(folder)
  return parent === folder ? [folder] : [folder, ...withParents(parent)]
}

const isApproval = ({ means }: HidingRule): boolean =>
  means === "approved" || means === "approved-if"

/**
 * Reads what a client's configuration has beside the entries of servers: lists of servers and tools, switches and
 * approvals, in every file where it keeps them. Nothing is written, and a file that is not there says nothing.
 *
 * @example
 * readHiding("gemini", around).of({ server: "github", scope: "user" })
 */
export const readHiding = (client: ClientKind, around: Surroundings): HidingReader => {
  const faults: Array<ConfigFinding> = []
  const places = (hiding[client].places ?? []).flatMap((place) =>
    readPlace(place, client, around, faults),
  )
  // Whoever trusts a repository trusts the folders in it.
  const parents = withParents(around.cwd)
  const folders = (rule: HidingRule) => (isApproval(rule) ? parents : [around.cwd])
  const of = (given: Omit<Asked, "cwd">): ReadonlyArray<Hidden> => {
    const asked: Asked = { ...given, cwd: around.cwd }
    const found: Array<Hidden> = []
    const wanting: Array<MemberPlace> = []
    let isApproved = false
    const settled = new Set<HidingRule>()
    for (const { path, root, rules } of places) {
      for (const rule of rules) {
        if (rule.scope !== undefined && rule.scope !== asked.scope) continue
        const node = folders(rule)
          .map((cwd) => nodeAt(root, rule.at, { ...asked, cwd }))
          .find((one) => one !== undefined)
        if (node !== undefined && rule.nearest === true) {
          if (settled.has(rule)) continue
          settled.add(rule)
        }
        const line = node?.position?.line
        const place = {
          member: memberName(rule),
          path,
          ...(line === undefined ? {} : { line }),
        }
        if (isApproval(rule)) wanting.push(place)
        for (const effect of node === undefined ? [] : applyRule(rule, node, asked)) {
          if (effect.kind === "approved") isApproved = true
          else found.push({ ...place, ...effect })
        }
      }
    }
    const [wanted] = wanting
    return wanted === undefined || isApproved
      ? found
      : [...found, { ...wanted, kind: "not-approved" }]
  }
  return { of, faults }
}
