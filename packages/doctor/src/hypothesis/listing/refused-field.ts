import { isJsonObject, type JsonRpcErrorObject } from "@entente/protocol"

/** The parts of a `tools/list` that a server can dislike. */
export const fields = ["cursor", "_meta", "params"] as const

export type Field = (typeof fields)[number]

/** The longest text that is looked at, in UTF-16 units; what a peer sends may be much longer. */
const longest = 20_000
/** The most values of the error's data that are looked at. */
const mostValues = 500

/** Members in which validators say where the fault is: zod, pydantic, joi, ajv, JSON:API. */
const places: ReadonlySet<string> = new Set([
  "path",
  "loc",
  "keys",
  "key",
  "instancePath",
  "dataPath",
  "field",
  "param",
  "params",
  "property",
  "pointer",
  "missingProperty",
  "additionalProperty",
])

const steps = (text: string): ReadonlyArray<string> => text.slice(0, 200).split(/[./[\]"'#\s]+/)

const isField = (text: string): text is Field => (fields as ReadonlyArray<string>).includes(text) // to ask for membership

/** JSON that stands in a text, as zod's issues do in the message of an error. */
const jsonIn = (text: string): unknown => {
  const from = text.search(/[[{]/)
  const to = Math.max(text.lastIndexOf("]"), text.lastIndexOf("}"))
  if (from < 0 || to <= from || to - from > longest) return undefined
  try {
    return JSON.parse(text.slice(from, to + 1))
  } catch {
    return undefined
  }
}

/** The fields that a value names where validators name them. */
const namedIn = (value: unknown): ReadonlySet<Field> => {
  const found = new Set<Field>()
  const waiting: Array<{ readonly value: unknown; readonly isPlace: boolean }> = [
    { value, isPlace: false },
  ]
  for (let left = mostValues; left > 0; left--) {
    const next = waiting.shift()
    if (next === undefined) break
    if (typeof next.value === "string") {
      if (next.isPlace) for (const step of steps(next.value)) if (isField(step)) found.add(step)
    } else if (Array.isArray(next.value)) {
      for (const item of next.value.slice(0, mostValues))
        waiting.push({ value: item, isPlace: next.isPlace })
    } else if (isJsonObject(next.value)) {
      for (const [name, member] of Object.entries(next.value).slice(0, mostValues))
        waiting.push({ value: member, isPlace: places.has(name) || isField(name) })
    }
  }
  return found
}

const words: Readonly<Record<Field, RegExp>> = {
  cursor: /\bcursors?\b/i,
  _meta: /(?:^|[^\w])_meta\b/,
  params: /\bparam(?:s|eters?)\b(?! (?:are|is) invalid)/i,
}

const mostExact = (found: ReadonlySet<Field>): Field | undefined =>
  fields.find((field) => found.has(field))

/** Which field an error speaks of, and whether it names it in a form for programs or only in words. */
export const refusedField = ({
  message,
  data,
}: JsonRpcErrorObject): { readonly field: Field; readonly exact: boolean } | undefined => {
  const text = message.slice(0, longest)
  const exact = mostExact(new Set([...namedIn(data), ...namedIn(jsonIn(text))]))
  if (exact !== undefined) return { field: exact, exact: true }
  // "Invalid params" is the name of the code and says nothing of a field.
  const said = `${text.replaceAll(/invalid (?:request )?param(?:s|eters?)/gi, "")} ${typeof data === "string" ? data.slice(0, longest) : ""}`
  const field = fields.find((one) => words[one].test(said))
  return field === undefined ? undefined : { field, exact: false }
}
