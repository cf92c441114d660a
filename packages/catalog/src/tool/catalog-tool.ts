import { fingerprint } from "@entente/client"
import type { Tool } from "@entente/protocol"
import { catalogId } from "../name/tool-name.js"
import type { ServerTool } from "../projection/projection.js"

/** A tool of one server in its place in the catalog. It never changes: a changed tool is another object. */
export class CatalogTool implements ServerTool {
  /** The same after a restart, whoever else is there; for example `github__create_issue` (C080). */
  readonly id: string
  readonly server: string
  /** The server's definition, unchanged. */
  readonly tool: Tool
  /** The tags of its server. */
  readonly tags: ReadonlyArray<string>
  #fingerprint: string | undefined

  constructor(server: string, tool: Tool, tags: ReadonlyArray<string>) {
    this.id = catalogId(server, tool.name)
    this.server = server
    this.tool = tool
    this.tags = tags
  }

  /**
   * SHA-256 of the definition: what a host keeps of a tool that its user has agreed to, to ask again when it is
   * another one. Computed when it is first read.
   */
  get fingerprint(): string {
    this.#fingerprint ??= fingerprint(this.tool)
    return this.#fingerprint
  }
}
