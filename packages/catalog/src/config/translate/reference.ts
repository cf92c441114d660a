import { clients } from "../client/clients.js"
import type { ClientKind } from "../client/client-kind.js"
import type { Field } from "../client/client-row.js"
import { parseTemplate, writePart } from "../template/syntax.js"
import type { Part, Template } from "../template/template.js"

/** A text in another client's words, and what was lost on the way. */
export interface WrittenText {
  readonly text: string
  /** Sentences without their subject: what of it cannot be said there. */
  readonly lost: ReadonlyArray<string>
  /** The variables that it names now. */
  readonly variables: ReadonlyArray<string>
  /** Whether literal text would be taken for a reference there. */
  readonly wouldExpand: boolean
}

/** A name for a variable, made of others. */
export const variableName = (...words: ReadonlyArray<string>): string =>
  words
    .join("_")
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]+/g, "_")
    .replaceAll(/^_+|_+$/g, "")
    .replace(/^(?=[0-9]|$)/, "_")

/** What stands for a reference that a client has no words for: the nearest thing it may have words for. */
const nearest = (part: Part): readonly [Part, string] => {
  switch (part.kind) {
    case "variable":
      return [{ kind: "variable", name: part.name }, `the default of ${part.name}`]
    case "input": {
      const name = variableName(part.id)
      return [{ kind: "variable", name }, `asking for ${part.id}: the variable ${name} is read`]
    }
    case "place":
      return part.place === "userHome"
        ? [{ kind: "variable", name: "HOME" }, "the user's folder: the variable HOME is read"]
        : part.place === "workspaceFolder"
          ? [{ kind: "text", text: "." }, "the project's folder: the working directory is meant"]
          : [{ kind: "text", text: "/" }, `the reference to ${part.place}`]
    case "file":
      return [{ kind: "text", text: "" }, "what a file holds"]
    case "text":
      return [part, ""]
  }
}

/** How a reference is shown where it cannot be read: to be filled in by hand. */
const placeholder = (part: Part): string => (part.kind === "variable" ? `\${${part.name}}` : "")

/** Writes a text in the syntax that a client reads in this field. */
export const writeText = (template: Template, to: ClientKind, field: Field): WrittenText => {
  const { expansion, title } = clients[to]
  const syntaxes = expansion.fields.includes(field) ? expansion.syntaxes : []
  const lost: Array<string> = []
  const variables = new Set<string>()
  let wouldExpand = false
  const pieces = template.map((part): string => {
    if (part.kind === "text") {
      wouldExpand ||= parseTemplate(part.text, syntaxes).some((one) => one.kind !== "text")
      return part.text
    }
    const written = writePart(part, syntaxes)
    const [instead, what] = written === undefined ? nearest(part) : [part, ""]
    if (instead.kind === "variable") variables.add(instead.name)
    if (written !== undefined) return written
    const second = writePart(instead, syntaxes)
    if (second !== undefined && (part.kind !== "variable" || syntaxes.length > 0)) {
      lost.push(what)
      return second
    }
    lost.push(`references: ${title} reads none here, so put the value there yourself`)
    return placeholder(instead)
  })
  return { text: pieces.join(""), lost: [...new Set(lost)], variables: [...variables], wouldExpand }
}
