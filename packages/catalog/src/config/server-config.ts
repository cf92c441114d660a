import type * as Redacted from "effect/Redacted"
import type { ClientKind } from "./client/client-kind.js"
import type { RemoteTransport } from "./client/client-row.js"
import type { Template } from "./template/template.js"

/** Where in which file a server is written. */
export interface Provenance {
  readonly client: ClientKind
  /** The file, where it has a name. */
  readonly path: string | undefined
  /** A JSON pointer to its entry, whatever the format of the file. */
  readonly pointer: string
  /** From 1, where the format shows it. */
  readonly line: number | undefined
}

/** What is said of any server. */
export interface ServerFacts {
  /** Its name in the file. */
  readonly id: string
  readonly disabled: boolean
  /** How long each answer may take, in milliseconds, where the file says so. */
  readonly timeoutMs: number | undefined
  /** Exact names of tools. Nothing is allowed by an empty list, everything where there is none. */
  readonly allow: ReadonlyArray<string> | undefined
  readonly deny: ReadonlyArray<string>
  /** Names of members that were not understood; never their values. */
  readonly extras: ReadonlyArray<string>
  readonly from: Provenance
}

/** A program to be started. */
export interface LocalServer<Text, Secret> extends ServerFacts {
  readonly kind: "local"
  readonly command: Text
  readonly args: ReadonlyArray<Text>
  readonly env: Readonly<Record<string, Secret>>
  readonly cwd: Text | undefined
  /** A file with further variables, which those in `env` win over. */
  readonly envFile: Text | undefined
}

/** A server behind an address. */
export interface RemoteServer<Text, Secret> extends ServerFacts {
  readonly kind: "remote"
  readonly url: Text
  readonly transport: RemoteTransport
  readonly headers: Readonly<Record<string, Secret>>
}

/**
 * A server as a file has it: texts with their references, and everything that stands in `env` or `headers`
 * redacted, because nobody can tell which of those are secrets.
 */
export type ServerConfig =
  | LocalServer<Template, Redacted.Redacted<Template>>
  | RemoteServer<Template, Redacted.Redacted<Template>>

/** A text with its references replaced: redacted, if anything in it came from the environment, a person or a file. */
export type Expanded = string | Redacted.Redacted<string>

/** A server as its client would use it now. */
export type ExpandedServer =
  | LocalServer<Expanded, Redacted.Redacted<string>>
  | RemoteServer<Expanded, Redacted.Redacted<string>>

/** Something a file wants a person to be asked for. */
export interface InputDefinition {
  readonly id: string
  readonly description: string | undefined
  /** Whether it is not to be seen while it is typed. */
  readonly password: boolean
}
