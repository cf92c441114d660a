/** A source of choices that is the same for the same seed. */
export class Dice {
  #state: number

  constructor(seed: number) {
    this.#state = seed >>> 0
  }

  /** A whole number from 0 to below the bound (mulberry32). */
  below(bound: number): number {
    this.#state = (this.#state + 0x6d_2b_79_f5) >>> 0
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % bound
  }

  of<T>(choices: ReadonlyArray<T>): T | undefined {
    return choices[this.below(choices.length)]
  }
}

type Schema = Readonly<Record<string, unknown>>

const isSchema = (value: unknown): value is Schema =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const list = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])
const members = (value: unknown): Schema => (isSchema(value) ? value : {})

const composing = ["allOf", "anyOf", "oneOf", "if", "then", "else"]
const texts = ["", "x", "yes", "no", "abc", "12"]
const numbers = [-3, -1, 0, 1, 2, 2.5, 7]
const anything: ReadonlyArray<unknown> = [...texts, ...numbers, true, null, {}, [], { a: 1 }, ["x"]]

/**
 * Values that a schema was meant for, more or less: whether one conforms is for a validator to say. It tries to
 * follow each keyword some of the time, so that those that conform are not all alike.
 */
export class Sampler {
  readonly #root: Schema
  readonly #dice: Dice

  constructor(root: Schema, dice: Dice) {
    this.#root = root
    this.#dice = dice
  }

  value(schema: unknown, depth = 0): unknown {
    const dice = this.#dice
    if (!isSchema(schema) || depth > 6 || dice.below(12) === 0) return dice.of(anything)
    if (typeof schema["$ref"] === "string") {
      const [, name = ""] = /^#\/\$defs\/(.+)$/.exec(schema["$ref"]) ?? []
      return this.value(members(this.#root["$defs"])[name], depth + 1)
    }
    if (schema["const"] !== undefined) return schema["const"]
    if (schema["enum"] !== undefined) return dice.of(list(schema["enum"]))
    const branches = ["allOf", "anyOf", "oneOf"].flatMap((keyword) => {
      const all = list(schema[keyword])
      return keyword === "allOf" ? all : all.length > 0 ? [dice.of(all)] : []
    })
    const parts = [...branches, ...["if", "then", "else"].map((keyword) => schema[keyword])]
    const own = Object.fromEntries(
      Object.entries(schema).filter(([keyword]) => !composing.includes(keyword)),
    )
    const merged = parts.filter(isSchema).reduce<Schema>(
      (all, part) => ({
        ...part,
        ...all,
        properties: { ...members(part["properties"]), ...members(all["properties"]) },
        required: [...list(part["required"]), ...list(all["required"])],
      }),
      own,
    )
    return this.#plain(merged, depth)
  }

  #plain(schema: Schema, depth: number): unknown {
    const dice = this.#dice
    const types = list(schema["type"]).length > 0 ? list(schema["type"]) : [schema["type"]]
    switch (dice.of(types)) {
      case "string":
        return dice.of(texts)
      case "integer":
        return dice.of(numbers.filter(Number.isInteger))
      case "number":
        return dice.of(numbers)
      case "boolean":
        return dice.below(2) === 0
      case "null":
        return null
      case "array":
        return this.#array(schema, depth)
      case "object":
        return this.object(schema, depth)
      default:
        if (Object.keys(members(schema["properties"])).length > 0) return this.object(schema, depth)
        return dice.of(anything)
    }
  }

  #array(schema: Schema, depth: number): ReadonlyArray<unknown> {
    const places = list(schema["prefixItems"])
    const length = this.#dice.below(4)
    return Array.from({ length }, (_, index) =>
      this.value(places[index] ?? schema["items"] ?? schema["contains"], depth + 1),
    )
  }

  object(schema: Schema, depth = 0): Schema {
    const properties = members(schema["properties"])
    const required = list(schema["required"])
    const names = [...new Set([...Object.keys(properties), ...required.map(String)])]
    const extra = this.#dice.below(3) === 0 ? ["a", "b", "zab"] : []
    const chosen = [...names, ...extra].filter(
      (name) => (required.includes(name) && this.#dice.below(8) > 0) || this.#dice.below(2) === 0,
    )
    return Object.fromEntries(
      chosen.map((name) => [
        name,
        this.value(properties[name] ?? schema["additionalProperties"], depth + 1) ?? null,
      ]),
    )
  }
}
