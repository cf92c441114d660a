import type { SchemaNode } from "../schema/schema-node.js"
import type { Report } from "../report.js"

/**
 * Characters that nobody sees and a model reads: controls but tab and line ends, what turns text around,
 * spaces without width, invisible operators, tags, further variation selectors, and halves of characters.
 */
const invisible =
  /(?![\t\n\r])\p{Cc}|\p{Cs}|[\u{ad}\u{200b}\u{200e}\u{200f}\u{202a}-\u{202e}\u{2060}-\u{206f}\u{feff}\u{fff9}-\u{fffb}\u{e0000}-\u{e0fff}]/gu

/** A server's text without what only a model would see in it. */
export const visible = (text: string): string => text.replaceAll(invisible, "")

const cleaned = (text: string, pointer: string, report: Report): string => {
  const seen = visible(text)
  if (seen === text) return text
  const count = [...text].length - [...seen].length
  report.add("cleaned", pointer, `${count} characters that nobody sees were taken out.`)
  return seen
}

const constrained = (text: string, lost: ReadonlyArray<string>): string =>
  [text.trimEnd(), `Constraints: ${lost.join("; ")}`].filter((part) => part !== "").join("\n\n")

/** Which texts a tool gets. */
export interface TextOptions {
  /** Whether a description tells of the constraints that had to go. */
  readonly constraints: boolean
  /** Characters of the tool's description. */
  readonly maxLength: number
}

/** The texts inside a schema, cleaned; those of the root's constraints go to the tool's description. */
export const withCleanTexts = (
  root: SchemaNode,
  { constraints }: TextOptions,
  report: Report,
): SchemaNode => {
  const clean = (node: SchemaNode, isRoot: boolean): SchemaNode => {
    let result = node.map((child) => clean(child, false))
    for (const keyword of ["title", "description", "$comment"]) {
      const text = result.data(keyword)
      if (typeof text === "string") {
        result = result.withData(keyword, cleaned(text, result.pointer(keyword), report))
      }
    }
    if (!constraints || isRoot || node.lost.length === 0) return result
    const text = result.data("description")
    return result.withData(
      "description",
      constrained(typeof text === "string" ? text : "", node.lost),
    )
  }
  return clean(root, true)
}

/** What a tool says of itself. */
export interface Described {
  readonly description?: string | undefined
  readonly title?: string | undefined
}

/** Cuts a text where a character ends. */
const cut = (text: string, length: number): string => {
  const short = text.slice(0, Math.max(0, length - 1))
  return `${/[\ud800-\udbff]$/.test(short) ? short.slice(0, -1) : short}…`
}

/**
 * The description of a tool as a provider gets it; undefined where there would be nothing in it, because an
 * empty one is refused.
 */
export const describe = (
  { description, title }: Described,
  lost: ReadonlyArray<string>,
  { constraints, maxLength }: TextOptions,
  report: Report,
): string | undefined => {
  const own = typeof description === "string" ? cleaned(description, "/description", report) : ""
  let text = own
  if (own.trim() === "" && typeof title === "string") {
    text = cleaned(title, "/title", report)
    if (text.trim() !== "")
      report.add("filled", "/description", "There is none; the title stands for it.")
  }
  if (constraints && lost.length > 0) text = constrained(text, lost)
  if (text.trim() === "") return undefined
  if (text.length <= maxLength) return text
  report.add(
    "truncated",
    "/description",
    `It has ${text.length} characters, and ${maxLength} are taken.`,
  )
  return cut(text, maxLength)
}
