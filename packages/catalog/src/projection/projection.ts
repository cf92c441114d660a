import type { Tool } from "@entente/protocol"

/** A tool of one server, as its place in the catalog and the server's own definition of it. */
export interface ServerTool {
  /** The id that the user gave the server: never what the server calls itself. */
  readonly server: string
  /** The server's definition, unchanged. */
  readonly tool: Tool
}

/** What kind of thing a projection had to change. */
export type ReportKind =
  /** The tool, or one of its arguments, has another name for this provider. */
  | "renamed"
  /** A text was too long and was cut. */
  | "truncated"
  /** Two tools wanted the same name; this one got another. */
  | "collided"
  /** A keyword that the provider refuses was left out. */
  | "keyword-dropped"
  /** What the provider demands and the schema did not have was filled in. */
  | "filled"
  /** A keyword was rewritten to one that the provider knows. */
  | "rewritten"
  /** Characters that nobody sees were taken out of a text. */
  | "cleaned"
  /** A composition at the root was folded into one object. */
  | "root-folded"
  /** A local `$ref` was replaced by what it refers to. */
  | "ref-inlined"
  /** A schema that refers to itself was cut at a depth. */
  | "recursion-cut"
  /** The tool goes without the provider's strict mode. */
  | "strict-disabled"
  /** The tool is left out; the others are not affected. */
  | "rejected"

/** One thing that a projection changed, and where. */
export interface ReportEntry {
  readonly kind: ReportKind
  readonly server: string
  /** The tool's own name. */
  readonly tool: string
  /**
   * A JSON pointer into the server's definition of the tool, for example `/inputSchema/allOf`. Of what was not
   * there and is filled in, it says where that would have stood.
   */
  readonly pointer: string
  /** What was done and why, as a sentence for people. */
  readonly detail: string
  /**
   * Set where the provider's schema refuses something that the server's takes. Every other change at most takes
   * more, and what the model then sends too much is found when the call is checked against the server's schema;
   * that null has to stand for an optional argument in strict mode is no such thing.
   */
  readonly narrows?: true
}

/** Where a provider's name leads. */
export interface NamedTool extends ServerTool {
  /** The name that the model sees. */
  readonly name: string
  /**
   * JSON pointers of properties in the provider's schema that strict mode has widened with null, because they
   * may be absent: null there is none of the server's, and `readArguments` leaves it out (C085). For example
   * `/properties/host`, `/properties/list/items/properties/id` and `/$defs/Item/properties/id`.
   */
  readonly widened?: ReadonlyArray<string>
  /**
   * Arguments whose own names the provider would refuse: from the name that the model sees to the server's.
   * `readArguments` leads them back.
   */
  readonly renamed?: ReadonlyMap<string, string>
}

/** Names in both directions. */
export interface NameMap {
  /** Which tool a model means; undefined for a name that is none of these. */
  readonly toolOf: (name: string) => NamedTool | undefined
  /** What the model calls a tool; undefined where it was rejected. */
  readonly nameOf: (server: string, tool: string) => string | undefined
  readonly all: ReadonlyArray<NamedTool>
}

/** The tools of many servers in the form that one model API takes. */
export interface Projection<Tools = unknown> {
  /** What goes into the request; undefined where there is none, because an empty list is refused (C083). */
  readonly tools: Tools | undefined
  readonly names: NameMap
  readonly report: ReadonlyArray<ReportEntry>
}
