/** A list of tools in somebody's configuration. */
export interface ToolFilter {
  /** Exact names of tools, as the server calls them. */
  readonly names: ReadonlyArray<string>
  /**
   * Names with `*` (any characters) or `?` (one of them). They are held against `prefix` with the name of the tool
   * after it, which is what the client calls the tool.
   */
  readonly patterns?: ReadonlyArray<string>
  /** Default: none. */
  readonly prefix?: string
  /** Names and patterns of the same kind that win over this list. */
  readonly except?: ReadonlyArray<string>
  /** The member that holds it and its file, for people: `enabled_tools in ~/.codex/config.toml`. */
  readonly where: string
}

/** A list that stands apart from the server's entry. */
export interface FurtherFilter extends ToolFilter {
  readonly kind: "allow" | "deny"
}

/** How many tools a client hands to its model at most. */
export interface ToolCap {
  readonly limit: number
  /** Users report it, and the maker does not say so: nothing is taken for hidden because of it. */
  readonly doubtful?: true
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
  /** Because of it the client has none of the server's tools. */
  readonly keepsAway?: true
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
  /** What other places of the client's configuration say about the server's tools. */
  readonly further?: ReadonlyArray<FurtherFilter>
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
