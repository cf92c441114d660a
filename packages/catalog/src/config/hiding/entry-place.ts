import { pointerName } from "@entente/protocol"
import { clients } from "../client/clients.js"
import type { ClientKind } from "../client/client-kind.js"
import type { ConfigNode } from "../document/node.js"
import { readDocument } from "../document/read-document.js"

/** Which of some members a server's entry has, and where. */
export interface EntryMember {
  readonly member: string
  /** From 1, where the format shows it: that of the entry, if not that of the member. */
  readonly line: number | undefined
}

/**
 * Says where the entry at a pointer has one of some members: the first one that is there.
 *
 * @example
 * entryMembers(text, "codex")("/mcp_servers/files", ["enabled_tools"]) // { member: "enabled_tools", line: 4 }
 */
export const entryMembers = (
  text: string,
  client: ClientKind,
): ((pointer: string, names: ReadonlyArray<string>) => EntryMember | undefined) => {
  const { root } = readDocument(text, clients[client].format)
  return (pointer, names) => {
    const entry = pointer
      .split("/")
      .slice(1)
      .map(pointerName)
      .reduce<ConfigNode | undefined>(
        (node, name) => (node?.kind === "object" ? node.members.get(name) : undefined),
        root,
      )
    if (entry?.kind !== "object") return undefined
    const member = names.find((name) => entry.members.has(name))
    if (member === undefined) return undefined
    const line = entry.members.get(member)?.position?.line ?? entry.position?.line
    return { member, line }
  }
}
