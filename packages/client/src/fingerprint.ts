import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"

/** A piece of text that is to be written as it is, between the values that are still to be. */
class Literal {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/**
 * A value that came from JSON, as one text, the same whatever order its members came in. It does not
 * recurse, because a server decides how deep its values are.
 *
 * @example
 * canonicalJson({ b: 1, a: [true] }) // '{"a":[true],"b":1}'
 */
export const canonicalJson = (value: unknown): string => {
  const written: Array<string> = []
  const pending: Array<unknown> = [value]
  while (pending.length > 0) {
    const next = pending.pop()
    if (next instanceof Literal) written.push(next.text)
    else if (Array.isArray(next)) pushElements(next, pending)
    else if (typeof next === "object" && next !== null) pushMembers(next, pending)
    else written.push(JSON.stringify(next) ?? "null")
  }
  return written.join("")
}

// What is pushed last is written first.
const pushElements = (elements: ReadonlyArray<unknown>, pending: Array<unknown>): void => {
  pending.push(new Literal("]"))
  for (let index = elements.length - 1; index >= 0; index--) {
    pending.push(elements[index], new Literal(index === 0 ? "" : ","))
  }
  pending.push(new Literal("["))
}

const pushMembers = (object: object, pending: Array<unknown>): void => {
  const members = Object.entries(object).filter(([, value]) => value !== undefined)
  members.sort(([one], [other]) => (one < other ? -1 : 1))
  pending.push(new Literal("}"))
  for (let index = members.length - 1; index >= 0; index--) {
    const [name, value] = members[index] as [string, unknown] // within bounds
    pending.push(value, new Literal(`${index === 0 ? "" : ","}${JSON.stringify(name)}:`))
  }
  pending.push(new Literal("{"))
}

/**
 * SHA-256 of a JSON value in hexadecimal digits, the same for the same content: what tells that a tool is no
 * longer the one that somebody has agreed to, and what secrets are replaced by in keys.
 *
 * @example
 * fingerprint({ name: "add" }) === fingerprint({ name: "add" }) // true
 */
export const fingerprint = (value: unknown): string =>
  bytesToHex(sha256(utf8ToBytes(canonicalJson(value))))
