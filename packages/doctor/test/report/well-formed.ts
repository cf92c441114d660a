/** What XML 1.0 lets stand in a document. */
const characters = /^[\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]*$/u

const name = "[A-Za-z_][\\w.-]*"
const value = '"(?:[^<&"]|&(?:amp|lt|gt|quot|apos);)*"'
const attributes = `((?:\\s+${name}=${value})*)\\s*`

const token = new RegExp(
  `<(${name})${attributes}(/?)>|</(${name})\\s*>|((?:[^<&]|&(?:amp|lt|gt|quot|apos);)+)`,
  "uy",
)

/** What is not well-formed in an XML document of elements and text; undefined where nothing is. Stricter than XML. */
export const xmlFault = (document: string): string | undefined => {
  if (!characters.test(document)) return "a character that XML has no place for"
  const declaration = '<?xml version="1.0" encoding="UTF-8"?>\n'
  if (!document.startsWith(declaration)) return "no declaration"
  const open: Array<string> = []
  let roots = 0
  token.lastIndex = declaration.length
  while (token.lastIndex < document.length) {
    const place = token.lastIndex
    const match = token.exec(document)
    if (match === null) return `cannot be read: ${document.slice(place, place + 40)}`
    const [, opening, pairs = "", empty, closing, text] = match
    if (text !== undefined) {
      if (open.length === 0 && text.trim() !== "") return "text outside of the root"
      if (text.includes("]]>")) return "the end of a section that never began"
    } else if (closing !== undefined) {
      if (open.pop() !== closing) return `</${closing}> closes something else`
    } else {
      const names = [...pairs.matchAll(new RegExp(`(${name})=`, "gu"))].map(([, one]) => one)
      const quoted = [...pairs.matchAll(new RegExp(`(${name})=${value}`, "gu"))].map(
        ([, one]) => one,
      )
      if (new Set(quoted).size !== quoted.length || names.length < quoted.length) {
        return "an attribute twice"
      }
      if (open.length === 0 && ++roots > 1) return "two roots"
      if (empty === "" && opening !== undefined) open.push(opening)
    }
  }
  if (roots === 0) return "no root"
  return open.length === 0 ? undefined : `<${open.join("><")}> is not closed`
}
