import { places, type Part, type Place, type Template } from "./template.js"

/** One way to write a reference. */
interface SyntaxRow {
  /** Finds it at one place. Lengths are bounded, so that a text of nothing but beginnings costs no more than its length. */
  readonly pattern: RegExp
  /** Whether it counts only where it is the whole text. */
  readonly whole?: true
  /** The reference that was found, from the groups of the pattern. */
  readonly part: (first: string, second: string | undefined) => Part | undefined
  /** How a reference is written; undefined where this syntax has no words for it. */
  readonly write: (part: Part) => string | undefined
}

const variable = (name: string): Part => ({ kind: "variable", name })

/** A variable that has nothing to fall back to. */
const bare = (part: Part): string | undefined =>
  part.kind === "variable" && part.otherwise === undefined ? part.name : undefined

const wrapped =
  (before: string, after: string) =>
  (inner: string | undefined): string | undefined =>
    inner === undefined ? undefined : `${before}${inner}${after}`

const isPlace = (word: string): word is Place => (places as ReadonlyArray<string>).includes(word)

const braced = wrapped("${", "}")
const bracedEnv = wrapped("${env:", "}")
const curlyEnv = wrapped("{env:", "}")

/** Every syntax that some client reads, by an example of it. */
export const syntaxes = {
  "${VAR}": {
    pattern: /\$\{([A-Za-z_]\w{0,254})\}/y,
    part: variable,
    write: (part) => braced(bare(part)),
  },
  "${VAR:-default}": {
    pattern: /\$\{([A-Za-z_]\w{0,254}):-([^}]{0,2048})\}/y,
    part: (name, otherwise = "") => ({ kind: "variable", name, otherwise }),
    write: (part) =>
      part.kind === "variable" && part.otherwise !== undefined && !part.otherwise.includes("}")
        ? `\${${part.name}:-${part.otherwise}}`
        : undefined,
  },
  $VAR: {
    pattern: /\$([A-Za-z_]\w{0,254})/y,
    part: variable,
    write: () => undefined, // only read: what follows it could belong to the name
  },
  "$env:VAR": {
    pattern: /\$env:(\w{1,255})$/y,
    whole: true,
    part: variable,
    write: () => undefined, // only read: it has no place inside a longer text
  },
  "${env:VAR}": {
    pattern: /\$\{env:([^}]{1,255})\}/y,
    part: variable,
    write: (part) => bracedEnv(bare(part)),
  },
  "{env:VAR}": {
    pattern: /\{env:([^}]{1,255})\}/y,
    part: variable,
    write: (part) => curlyEnv(bare(part)),
  },
  "${input:id}": {
    pattern: /\$\{input:([^}]{1,255})\}/y,
    part: (id) => ({ kind: "input", id }),
    write: (part) => (part.kind === "input" ? `\${input:${part.id}}` : undefined),
  },
  "${file:path}": {
    pattern: /\$\{file:([^}]{1,1024})\}/y,
    part: (path) => ({ kind: "file", path }),
    write: (part) => (part.kind === "file" ? `\${file:${part.path}}` : undefined),
  },
  "{file:path}": {
    pattern: /\{file:([^}]{1,1024})\}/y,
    part: (path) => ({ kind: "file", path }),
    write: (part) => (part.kind === "file" ? `{file:${part.path}}` : undefined),
  },
  "${userHome}": {
    pattern: /\$\{(\/|[A-Za-z]{1,64})\}/y,
    part: (word) => {
      const place = word === "/" ? "pathSeparator" : word
      return isPlace(place) ? { kind: "place", place } : undefined
    },
    write: (part) => (part.kind === "place" ? `\${${part.place}}` : undefined),
  },
} as const satisfies Record<string, SyntaxRow>

export type Syntax = keyof typeof syntaxes

const row = (syntax: Syntax): SyntaxRow => syntaxes[syntax]

/** Characters with which a reference can begin. */
const beginning = /[${]/g

const partAt = (text: string, at: number, syntax: Syntax) => {
  const { pattern, whole, part } = row(syntax)
  if (whole === true && at !== 0) return undefined
  pattern.lastIndex = at // set before every use, so that it is no state
  const found = pattern.exec(text)
  const made = found === null ? undefined : part(found[1] ?? "", found[2])
  return found === null || made === undefined ? undefined : { part: made, end: pattern.lastIndex }
}

/**
 * Takes a text apart, once: what a reference stands for is never looked at again, and neither is a default.
 *
 * @example
 * parseTemplate("Bearer ${TOKEN}", ["${VAR}"]) // [{ kind: "text", … }, { kind: "variable", name: "TOKEN" }]
 */
export const parseTemplate = (text: string, read: ReadonlyArray<Syntax>): Template => {
  const parts: Array<Part> = []
  let taken = 0
  const matcher = new RegExp(beginning)
  for (let at = matcher.exec(text)?.index; at !== undefined; at = matcher.exec(text)?.index) {
    const found = read.map((syntax) => partAt(text, at, syntax)).find((one) => one !== undefined)
    if (found === undefined) continue
    if (at > taken) parts.push({ kind: "text", text: text.slice(taken, at) })
    parts.push(found.part)
    taken = found.end
    matcher.lastIndex = taken
  }
  if (taken < text.length) parts.push({ kind: "text", text: text.slice(taken) })
  return parts
}

/** `$VAR` is left out: a dollar before a word is a price or a password more often than a reference. */
const telling = (Object.keys(syntaxes) as ReadonlyArray<Syntax>) // `keys` loses the names
  .filter((syntax) => syntax !== "$VAR")

/** The references in the literal pieces of a template that some other client would replace. */
export const leftLiteral = (template: Template): ReadonlyArray<string> => [
  ...new Set(
    template.flatMap((part) =>
      part.kind === "text"
        ? parseTemplate(part.text, telling).flatMap((one) => {
            const name = nameOf(one)
            return name === undefined ? [] : [name]
          })
        : [],
    ),
  ),
]

/** What a reference refers to, as people are told of it; undefined for plain text. */
export const nameOf = (part: Part): string | undefined => {
  switch (part.kind) {
    case "text":
      return undefined
    case "variable":
      return part.name
    case "input":
      return `input:${part.id}`
    case "file":
      return "a file"
    case "place":
      return part.place
  }
}

/** A reference in one of the syntaxes, in the first that has words for it. */
export const writePart = (part: Part, write: ReadonlyArray<Syntax>): string | undefined =>
  part.kind === "text"
    ? part.text
    : write.map((syntax) => row(syntax).write(part)).find((text) => text !== undefined)
