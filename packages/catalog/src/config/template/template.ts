/** What a client knows without asking anybody. */
export const places = [
  "userHome",
  "workspaceFolder",
  "workspaceFolderBasename",
  "pathSeparator",
] as const

export type Place = (typeof places)[number]

/** One piece of a text in a configuration file. */
export type Part =
  | { readonly kind: "text"; readonly text: string }
  /** A variable of the environment; `otherwise` is what counts where it is not set, as written: it is not read again. */
  | { readonly kind: "variable"; readonly name: string; readonly otherwise?: string }
  /** Something a person is asked for. */
  | { readonly kind: "input"; readonly id: string }
  /** The content of a file. */
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "place"; readonly place: Place }

/** A text as it is written in a file: literal pieces, and references in the client's own syntax. */
export type Template = ReadonlyArray<Part>

/** A template without references. */
export const literal = (text: string): Template => (text === "" ? [] : [{ kind: "text", text }])

/** The text of a template that has no references. */
export const literalText = (template: Template): string | undefined =>
  template.every((part) => part.kind === "text")
    ? template.map((part) => part.text).join("")
    : undefined

/** Whether a template holds something that was written down itself, and not only references. */
export const hasLiteral = (template: Template): boolean =>
  template.some((part) => part.kind === "text" && part.text !== "")
