import { redactText } from "./redact-text.js"
import { redacted, type RedactionPolicy } from "./redaction-policy.js"
import { isSecretName } from "./secret-name.js"
import { isStandIn } from "./stand-in.js"

/** Deeper than any message that is meant well. */
const deepest = 64
/** Objects and arrays in one message: ten thousand tools have half of it. It bounds what is no tree, too. */
const mostValues = 200_000

/** What is known about a value from where it stands. */
type Standing =
  | "open"
  /** Under a secret name: every text and number in it is hidden. */
  | "secret"
  /** The JSON schema of a secret: only the values it shows are. */
  | "schema-of-secret"

/** No key that is known by its form is shorter. */
const shortestShape = 16

type Plain = Readonly<Record<string, unknown>>

const isPlain = (value: unknown): value is Plain => typeof value === "object" && value !== null

/** Members that map names to schemas: a name in there says nothing about the value beside it. */
const schemaMaps = new Set(["properties", "patternProperties", "definitions", "$defs"])
/** Members by which a schema is known. */
const schemaWords = ["type", "$ref", "anyOf", "oneOf", "allOf", "enum", "const", "description"]
/** Members of a schema that hold values of what it describes. */
const schemaValues = new Set(["default", "const", "enum", "examples", "example"])

const isSchema = (value: unknown): boolean =>
  isPlain(value) && schemaWords.some((word) => Object.hasOwn(value, word))

/** The name in `{ name, value }`, as lists of headers and variables are written. */
const nameBeside = (object: Plain): string => {
  const name = object["name"] ?? object["key"]
  return typeof name === "string" ? name : ""
}

/** One pass over one message. */
class Pass {
  #left = mostValues
  readonly #policy: RedactionPolicy

  constructor(policy: RedactionPolicy) {
    this.#policy = policy
  }

  /** `named` says that the members of the value are schemas under the names they describe. */
  value(value: unknown, standing: Standing, depth: number, named = false): unknown {
    if (typeof value === "string") {
      if (standing === "secret") return value === "" || isStandIn(value) ? value : redacted
      return redactText(value, this.#policy)
    }
    if (typeof value === "number" || typeof value === "bigint") {
      return standing === "secret" ? redacted : value
    }
    if (!isPlain(value)) return value
    if (depth > deepest) return "‹too deep›"
    if (this.#left-- <= 0) return "‹too large›"
    return Array.isArray(value)
      ? this.#array(value, standing, depth)
      : this.#object(value, standing, depth, named)
  }

  #array(values: ReadonlyArray<unknown>, standing: Standing, depth: number): unknown {
    let copy: Array<unknown> | undefined
    for (let index = 0; index < values.length; index++) {
      const safe = this.value(values[index], standing, depth + 1)
      if (safe === values[index]) continue
      copy ??= [...values]
      copy[index] = safe
    }
    return copy ?? values
  }

  #object(object: Plain, standing: Standing, depth: number, named: boolean): unknown {
    let copy: Array<readonly [string, unknown]> | undefined
    const keys = Object.keys(object)
    for (let index = 0; index < keys.length; index++) {
      const key = keys[index] as string // the index is within the keys
      const before = object[key]
      const below = this.#below(object, key, standing, named)
      const after = this.value(before, below, depth + 1, below === "open" && schemaMaps.has(key))
      const name = key.length < shortestShape ? key : redactText(key, this.#policy)
      if (copy === undefined && (after !== before || name !== key)) {
        copy = keys.slice(0, index).map((earlier) => [earlier, object[earlier]] as const)
      }
      copy?.push([name, after])
    }
    // `fromEntries` defines members, so that `__proto__` is one like any other.
    return copy === undefined ? object : Object.fromEntries(copy)
  }

  #below(object: Plain, key: string, standing: Standing, named: boolean): Standing {
    if (standing === "secret") return "secret"
    if (standing === "schema-of-secret") return schemaValues.has(key) ? "secret" : standing
    if (isSecretName(key, "message", this.#policy)) {
      return named && isSchema(object[key]) ? "schema-of-secret" : "secret"
    }
    const isValue = key === "value" && isSecretName(nameBeside(object), "address", this.#policy)
    return isValue ? "secret" : "open"
  }
}

/**
 * Hides secrets in a JSON value: everything under a secret name, and what `redactText` finds in any
 * other text, names included. A JSON schema that describes a secret stays readable, but for the values
 * it shows. Depth and size are bounded. Nothing is changed in place: what holds no secret comes back as
 * the same object.
 *
 * @example
 * redactMessage({ params: { arguments: { password: "abc", user: "ada" } } })
 * // { params: { arguments: { password: "‹redacted›", user: "ada" } } }
 */
export const redactMessage = (value: unknown, policy: RedactionPolicy = {}): unknown =>
  new Pass(policy).value(value, "open", 0)
