import type { FileFormat } from "../document/read-document.js"
import type { Syntax } from "../template/syntax.js"
import type { FileLocation } from "./locations.js"

/** How a remote server is spoken to; `auto`: Streamable HTTP, and HTTP+SSE where the server refuses that. */
export type RemoteTransport = "streamable-http" | "sse" | "auto"

/** Parts of a server's entry in which references may stand. */
export type Field = "command" | "args" | "env" | "cwd" | "envFile" | "url" | "headers"

/** What a client does where a variable is not set and there is no default. */
export type Unset =
  /** The reference stays as it is written. */
  | "literal"
  | "empty"
  /** The server is not used. */
  | "refused"
  /** Nobody has said; the reference is kept as it is written. */
  | "unknown"

export interface Expansion {
  readonly syntaxes: ReadonlyArray<Syntax>
  readonly fields: ReadonlyArray<Field>
  readonly unset: Unset
  /** Whether headers see the variables of the entry itself, before those of the client. */
  readonly ownVariablesFirst?: true
}

/** A member that is named in several ways; the first is the one that is written. */
export type Names = ReadonlyArray<string>

/** What the members of a server's entry are called. A client that has no such thing has no name for it. */
export interface Members {
  readonly type?: string
  readonly command: Names
  /** `text`: a string. `list`: an array with the arguments in it. `either`: both are read. */
  readonly commandIs: "text" | "list" | "either"
  readonly args?: Names
  readonly env: Names
  /** Names of variables that are handed on from the client's own environment. */
  readonly envNames?: Names
  readonly cwd?: Names
  readonly envFile?: Names
  readonly headers: Names
  /** Headers whose values are those of variables: header name → variable. */
  readonly headerVariables?: Names
  /** A token for `Authorization: Bearer`. */
  readonly bearer?: Names
  /** A variable that holds such a token. */
  readonly bearerVariable?: Names
  readonly disabled?: Names
  readonly enabled?: Names
  readonly timeout?: { readonly names: Names; readonly unitMs: number }
  readonly allow?: Names
  /** Whether an empty list of allowed tools allows all of them. */
  readonly emptyAllowsAll?: true
  readonly deny?: Names
}

/** How a kind of server is written: the value of `type`, and for a remote one the member for its address. */
export interface Written {
  readonly type?: string
  readonly url?: string
}

/** Everything that is known of one client's configuration. */
export interface ClientRow {
  readonly title: string
  readonly format: FileFormat
  readonly files: ReadonlyArray<FileLocation>
  /**
   * Where the servers are: paths of members, each of which leads to an object of servers by name. `{cwd}` is
   * the folder of the project.
   */
  readonly roots: ReadonlyArray<ReadonlyArray<string>>
  /** Where a file names what is to be asked of a person. */
  readonly inputs?: string
  readonly members: Members
  /** The values of `type` that are read; `other` is something that is no MCP server. */
  readonly types: Readonly<Record<string, "local" | "other" | RemoteTransport>>
  /** Members that hold an address, in order of precedence, and what each means without a `type`. */
  readonly urls: Readonly<Record<string, RemoteTransport>>
  /** A server without a `type`: refused only if it is remote, always, or never. */
  readonly typeless: "read" | "refused-if-remote" | "refused"
  /** `ignored`: the file is for local servers only. */
  readonly remote: "read" | "ignored"
  /** `type` values and addresses that are known to be read differently by versions of this client. */
  readonly sseByUrl?: string
  readonly write: {
    readonly local: Written
    /** A transport without a row cannot be expressed. */
    readonly remote: { readonly [T in RemoteTransport]?: Written }
    /** Members that every entry needs. */
    readonly fixed?: Readonly<Record<string, string | boolean | number>>
    /** A member that repeats the server's name. */
    readonly name?: string
  }
  readonly expansion: Expansion
  /** Where a relative path starts: the project's folder, or that of the file. */
  readonly startsIn: "workspace" | "file"
}
