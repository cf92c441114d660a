import { jsonPointer } from "@entente/protocol"
import type { ClientKind } from "./client/client-kind.js"

/** `error`: the client does not read it. `warning`: it reads something else than is meant. `note`: good to know. */
export type Severity = "error" | "warning" | "note"

/** Everything that can be said of a configuration file: a stable name and how bad it is by itself. */
export const findingCodes = {
  unreadable: "error",
  "too-large": "error",
  "too-deep": "error",
  "too-many-values": "error",
  "syntax-error": "error",
  comment: "error",
  "trailing-comma": "error",
  "duplicate-member": "warning",
  "forbidden-name": "error",
  "no-servers": "warning",
  "other-root": "error",

  "not-an-object": "error",
  "wrong-type": "error",
  "not-a-string": "warning",
  "nothing-to-reach": "error",
  "both-kinds": "error",
  "unknown-type": "error",
  "type-missing": "error",
  "type-contradicts": "error",
  "member-of-another-client": "error",
  "remote-ignored": "error",
  "url-means-sse": "warning",
  "transport-not-supported": "error",
  "member-not-read": "warning",
  "invalid-url": "error",
  "invalid-header": "error",
  "invalid-variable": "error",
  "invalid-value": "error",
  "invalid-input": "warning",

  "left-literal": "warning",
  "nested-default": "warning",
  "variable-unset": "warning",
  "input-unknown": "error",
  "input-missing": "error",
  "file-unreadable": "error",
  "secret-in-the-open": "note",

  "reads-differently": "warning",
  "not-expressible": "warning",
  "secret-withheld": "warning",
  "would-expand": "warning",
} as const satisfies Record<string, Severity>

export type FindingCode = keyof typeof findingCodes

/**
 * Something about a configuration file, as one client reads it. No finding repeats a value of the file:
 * names of members, servers and variables are all it says.
 */
export interface ConfigFinding {
  readonly code: FindingCode
  readonly severity: Severity
  /** The client that reads the file so. */
  readonly client: ClientKind
  /** The file, where it has a name. */
  readonly path?: string
  /** The server it is about, by its name in the file. */
  readonly server?: string
  /** A JSON pointer to the place, whatever the format of the file; "" is all of it. */
  readonly pointer: string
  /** From 1. */
  readonly line?: number
  /** From 1, in UTF-16 units. */
  readonly column?: number
  /** One sentence. */
  readonly message: string
}

/** Appends names to a JSON pointer. */
export const pointerTo = (base: string, ...names: ReadonlyArray<string | number>): string =>
  base + jsonPointer(names)
