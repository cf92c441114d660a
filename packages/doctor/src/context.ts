/** A list of tools in somebody's configuration. */
export interface ToolFilter {
  /** Exact names of tools, as the server calls them. */
  readonly names: ReadonlyArray<string>
  /** The member that holds it and its file, for people: `enabled_tools in ~/.codex/config.toml`. */
  readonly where: string
}

/** How many tools a client hands to its model at most. */
export interface ToolCap {
  readonly limit: number
  /** Tools of the same client's other servers, where they are known: they count too. */
  readonly others?: number
  /** What says so, for people. */
  readonly where: string
}

/** Something that a client's configuration has which keeps tools away, or may do so. */
export interface ClientTrouble {
  readonly code: string
  readonly severity: "error" | "warning" | "note"
  /** One sentence, without secrets. */
  readonly message: string
  /** The file and line, for people. */
  readonly where?: string
}

/** How a client is set up for one server. */
export interface ClientView {
  /** Its name on command lines, for example `vscode`. */
  readonly kind: string
  /** Its name for people. */
  readonly title: string
  /** The server's name in its configuration. */
  readonly server: string
  /** Where it is switched off. */
  readonly disabledBy?: string
  /** Only these are handed on, where there is such a list. */
  readonly allow?: ToolFilter
  /** These are not. */
  readonly deny?: ToolFilter
  readonly cap?: ToolCap
  readonly troubles: ReadonlyArray<ClientTrouble>
}

/** What a provider's format makes of the tools. */
export interface ProjectionView {
  /** For example `anthropic`. */
  readonly format: string
  readonly rejected: ReadonlyArray<{ readonly tool: string; readonly why: string }>
}

/** What is known beside the trace. */
export interface DiagnosisContext {
  /** The server as a command line names it, for the next command. */
  readonly target?: string
  /** The trace is still being written: what has not been answered may be yet. */
  readonly open?: boolean
  /** The client runs in a browser, so that it sees only the headers that CORS exposes. */
  readonly browser?: boolean
  /** How many tools the client says it has, where its log says so. */
  readonly shown?: number
  /** The names of the tools that the server offers now, where somebody has just asked it. */
  readonly offered?: ReadonlyArray<string>
  readonly client?: ClientView
  readonly projection?: ProjectionView
}
