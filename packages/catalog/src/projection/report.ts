import type { ReportEntry, ReportKind, ServerTool } from "./projection.js"

/** Ends the work on one tool: it cannot be sent to this provider. */
export class Rejected extends Error {
  readonly pointer: string

  constructor(pointer: string, reason: string) {
    super(reason)
    this.pointer = pointer
  }
}

/** What one tool's projection has changed so far. Of the same kind of change at the same place the first is told. */
export class Report {
  readonly #tool: ServerTool
  readonly #entries = new Map<string, ReportEntry>()

  constructor(tool: ServerTool) {
    this.#tool = tool
  }

  /** In the order in which they happened. */
  get entries(): ReadonlyArray<ReportEntry> {
    return [...this.#entries.values()]
  }

  add(kind: ReportKind, pointer: string, detail: string): void {
    this.#add({ ...this.#about, kind, pointer, detail })
  }

  /** A change by which the provider's schema refuses something that the server's takes. */
  addNarrowing(kind: ReportKind, pointer: string, detail: string): void {
    this.#add({ ...this.#about, kind, pointer, detail, narrows: true })
  }

  get #about() {
    return { server: this.#tool.server, tool: this.#tool.tool.name }
  }

  #add(entry: ReportEntry): void {
    const key = `${entry.kind} ${entry.narrows === true} ${entry.pointer}`
    if (!this.#entries.has(key)) this.#entries.set(key, entry)
  }
}
