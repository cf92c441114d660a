import type { FileLocation } from "../client/locations.js"

/** How many tools a client hands to its model at most, and how that is known. */
export interface CapFact {
  readonly limit: number
  /** `documented`: its maker says so. `reported`: users do. */
  readonly known: "documented" | "reported"
  /** Who says so, when, and what happens to the others. */
  readonly source: string
}

/** Members on the way to a value; `{cwd}` is the project's folder, `{server}` the server's name in small letters. */
export type MemberPath = ReadonlyArray<string>

/** Something in a file that keeps a server or its tools from the model. */
export type HidingRule = {
  readonly at: MemberPath
  /** Only for servers of the project's own files. Default: for all. */
  readonly scope?: "project"
  /** Of several files that have it only the nearest one counts. Default: all of them do. */
  readonly nearest?: true
} & (
  | {
      /** A list of servers that are off. Where an item is an object, `name` is the member with the server's name. */
      readonly means: "off"
      readonly name?: string
    }
  /** A list of the only servers that are on; an empty one says nothing. */
  | { readonly means: "only" }
  /** A value that switches the server off, or all of them. */
  | { readonly means: "off-if"; readonly value: string | boolean }
  /** Servers of the project are not used before somebody has approved them: the list of those that are. */
  | { readonly means: "approved" }
  | { readonly means: "approved-if"; readonly value: string | boolean }
  /** Lists of tools by the names that the client gives them: `prefix`, in which `{server}` stands, and the tool's own. */
  | { readonly means: "denied-tools" | "only-tools"; readonly prefix: string }
  /** An object of such names, in which the last one that fits a tool counts. */
  | {
      readonly means: "tool-switches"
      readonly prefix: string
      /** Values that take a tool away. */
      readonly off: ReadonlyArray<string | boolean>
    }
)

/** Files that hold such rules, the nearest first. */
export interface HidingPlace {
  readonly files: ReadonlyArray<FileLocation>
  readonly format: "json" | "toml"
  readonly rules: ReadonlyArray<HidingRule>
}

/** What one client keeps from its model, beside the members of a server's entry. */
export interface HidingRow {
  /** Absent: none is known. */
  readonly cap?: CapFact
  readonly places?: ReadonlyArray<HidingPlace>
  /** What it keeps where no file tells, in one sentence. */
  readonly unseen?: string
}
