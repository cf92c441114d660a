import {
  isJsonObject,
  jsonPointer,
  jsonSizeOf,
  type JsonObject,
  type SchemaPlace,
} from "@entente/protocol"
import { dialectOf, schemaDialects, type SchemaDialect } from "./dialect.js"
import { keywords, type KeywordKind } from "./keywords.js"
import { misfit } from "./keyword-value.js"
import { limits } from "./limits.js"
import { References } from "./references.js"
import { isApplicator, replaceSubschemas } from "./subschemas.js"
import { UnusableSchema } from "./unusable-schema.js"

/** The keyword that says how much work a schema is, besides that of the schemas in it. */
export const workKeyword = "x-work"

/** Some of these keywords become others, because the compiler speaks 2020-12 only. */
const renamed = (
  schema: JsonObject,
  keyword: string,
  dialect: SchemaDialect,
): string | undefined => {
  if (dialect === "2020-12") return keyword
  const hasTuple = Array.isArray(schema["items"])
  if (keyword === "items" && hasTuple) return "prefixItems"
  if (keyword === "additionalItems") return hasTuple ? "items" : undefined
  return keyword
}

/**
 * Writes a server's schema anew for the compiler: every keyword known, its value of the right kind, and
 * every reference led to a definition at the root. Nothing else gets that far, so that neither `$id`, nor
 * keywords that only the compiler knows, nor keywords of another dialect can do anything.
 */
class Preparation {
  readonly #dialect: SchemaDialect
  readonly #references: References
  readonly #checkPattern: (pattern: string) => void
  readonly #targets = new Map<string, { readonly name: string; readonly place: SchemaPlace }>()
  readonly #waiting: Array<SchemaPlace> = []
  #count = 0

  constructor(schema: JsonObject, dialect: SchemaDialect, checkPattern: (pattern: string) => void) {
    this.#dialect = dialect
    this.#references = new References(schema, dialect)
    this.#checkPattern = checkPattern
  }

  run(): JsonObject {
    const $ref = this.#refer(this.#references.root)
    const $defs: Record<string, unknown> = {}
    for (let place = this.#waiting.pop(); place !== undefined; place = this.#waiting.pop()) {
      $defs[this.#targets.get(place.pointer)?.name ?? ""] = this.#write(place)
    }
    return { $ref, $defs }
  }

  /** The reference to a schema, which is written once, however many references lead to it. */
  #refer(place: SchemaPlace): string {
    const { pointer } = place
    const known = this.#targets.get(pointer)
    const name = known?.name ?? String(this.#targets.size)
    if (known === undefined) {
      this.#targets.set(pointer, { name, place })
      this.#waiting.push(place)
    }
    return `#/$defs/${name}`
  }

  #write({ schema, pointer, base: outer }: SchemaPlace): unknown {
    if (++this.#count > limits.subschemas) {
      throw new UnusableSchema("", `has more than ${limits.subschemas} schemas`)
    }
    if (typeof schema === "boolean") return schema
    if (!isJsonObject(schema)) throw new UnusableSchema(pointer, "is no schema")
    const base = this.#references.baseWithin(schema, outer)
    const written = new Map<string, unknown>()
    let work = 1
    for (const [keyword, kind] of keywords[this.#dialect]) {
      if (!Object.hasOwn(schema, keyword)) continue
      const at = pointer + jsonPointer([keyword])
      const value = this.#value(kind, { schema: schema[keyword], pointer: at, base })
      const name = this.#isIgnored(schema, keyword)
        ? undefined
        : renamed(schema, keyword, this.#dialect)
      if (name === undefined || kind === "definitions") continue
      if (keyword === "$dynamicRef") addDynamic(written, value)
      else written.set(name, value)
      work += workOf(value)
    }
    written.set(workKeyword, work)
    return Object.fromEntries(written)
  }

  /** Draft-07: beside a reference nothing else counts (8.3). */
  #isIgnored(schema: JsonObject, keyword: string): boolean {
    return this.#dialect === "draft-07" && keyword !== "$ref" && Object.hasOwn(schema, "$ref")
  }

  #value(kind: KeywordKind, { schema: value, pointer, base }: SchemaPlace): unknown {
    if (isApplicator(kind)) {
      if (kind === "patternMap" && isJsonObject(value)) {
        for (const pattern of Object.keys(value)) {
          this.#pattern(pattern, pointer + jsonPointer([pattern]))
        }
      }
      return replaceSubschemas(kind, value, pointer, (schema, at) =>
        this.#write({ schema, pointer: at, base }),
      )
    }
    if (kind === "reference") return this.#reference(value, pointer, base)
    if (kind === "pattern") return this.#pattern(value, pointer)
    const reason = misfit(kind, value)
    if (reason !== undefined) throw new UnusableSchema(pointer, reason)
    return value
  }

  #pattern(pattern: unknown, pointer: string): string {
    if (typeof pattern !== "string") throw new UnusableSchema(pointer, "is no regular expression")
    try {
      this.#checkPattern(pattern)
    } catch (error) {
      throw new UnusableSchema(pointer, error instanceof Error ? error.message : "cannot be used")
    }
    return pattern
  }

  #reference(reference: unknown, pointer: string, base: string): string {
    if (typeof reference !== "string") throw new UnusableSchema(pointer, "is no reference")
    if (pointer.endsWith("/$dynamicRef") && this.#references.isDynamic(reference)) {
      throw new UnusableSchema(pointer, "means something else wherever it is used from")
    }
    const place = this.#references.resolve(reference, base)
    // V26-SCHEMA-05: not "anything goes".
    if (place === undefined) {
      throw new UnusableSchema(
        pointer,
        "leads to nothing inside this schema, and nothing is fetched",
      )
    }
    return this.#refer(place)
  }
}

const addDynamic = (written: Map<string, unknown>, $ref: unknown): void => {
  const others = written.get("allOf")
  written.set("allOf", [...(Array.isArray(others) ? others : []), { $ref }])
}

/** How many names or schemas a keyword goes through; the schemas in it count their own work. */
const workOf = (value: unknown): number =>
  typeof value === "object" && value !== null ? Object.keys(value).length : 0

/**
 * A server's output schema, ready for the compiler. Throws `UnusableSchema` where it is in another dialect
 * (V26-SCHEMA-02), over a limit (V26-SCHEMA-06), not valid (V26-SCHEMA-09) or not complete (V26-SCHEMA-05).
 *
 * @param checkPattern throws where a regular expression cannot be used.
 */
export const prepare = (
  schema: JsonObject,
  checkPattern: (pattern: string) => void,
): JsonObject => {
  const dialect = dialectOf(schema)
  if (dialect === undefined) {
    const named = JSON.stringify(schema["$schema"])
    const reason = `names the dialect ${named}, which is none of ${schemaDialects.join(" and ")}`
    throw new UnusableSchema("/$schema", reason)
  }
  const size = jsonSizeOf(schema, { values: limits.schemaValues, depth: limits.schemaDepth })
  if (typeof size === "string") throw new UnusableSchema("", size)
  // Every name in it becomes code.
  if (JSON.stringify(schema).length > limits.schemaCharacters) {
    throw new UnusableSchema("", `has more than ${limits.schemaCharacters} characters`)
  }
  return new Preparation(schema, dialect, checkPattern).run()
}
