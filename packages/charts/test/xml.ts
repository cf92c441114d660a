/** An element of an XML text, as the tests look at it. */
export interface Element {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  readonly children: Array<Element>
  text: string
}

const value = String.raw`(?:[^<&"\u0000-\u0008\u000b\u000c\u000e-\u001f]|&(?:amp|lt|gt|quot);)*`
const attribute = new RegExp(String.raw`\s([\w:-]+)="(${value})"`, "g")
const tag = new RegExp(String.raw`^<(/?)([\w:-]+)((?:\s[\w:-]+="${value}")*)(/?)>`)
const plain = new RegExp(`^${value.replace('"', "")}(?=<|$)`)

/** Reads XML by a grammar that is stricter than XML's own; throws where a text does not follow it. */
export const readXml = (xml: string): Element => {
  const root: Element = { name: "", attributes: {}, children: [], text: "" }
  const open = [root]
  for (let rest = xml; rest !== "";) {
    const top = open.at(-1) ?? root
    const found = tag.exec(rest)
    if (found === null) {
      const said = plain.exec(rest)?.[0] ?? ""
      if (said === "") throw new Error(`not well-formed: ${rest.slice(0, 80)}`)
      top.text += said
      rest = rest.slice(said.length)
      continue
    }
    const [whole, closes, name = "", written = "", isEmpty] = found
    rest = rest.slice(whole.length)
    if (closes === "/") {
      if (open.pop()?.name !== name || open.length === 0)
        throw new Error(`closes nothing: ${whole}`)
      continue
    }
    const attributes = [...written.matchAll(attribute)].map(([, key = "", value = ""]) => [
      key,
      value,
    ])
    const keys = attributes.map(([key]) => key)
    if (new Set(keys).size !== keys.length) throw new Error(`an attribute twice: ${whole}`)
    const element = { name, attributes: Object.fromEntries(attributes), children: [], text: "" }
    top.children.push(element)
    if (isEmpty !== "/") open.push(element)
  }
  const [only] = root.children
  if (open.length > 1 || only === undefined || root.children.length > 1) {
    throw new Error(`not one element: ${open.map(({ name }) => name).join(" ")}`)
  }
  return only
}

/** All elements in one, itself included. */
export const elementsIn = (element: Element): ReadonlyArray<Element> => [
  element,
  ...element.children.flatMap(elementsIn),
]
