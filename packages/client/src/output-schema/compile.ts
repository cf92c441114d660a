import { Ajv2020, Name, _, type ErrorObject, type KeywordDefinition } from "ajv/dist/2020.js"
import { isJsonObject, plainText, jsonSizeOf, type JsonObject } from "@entente/protocol"
import { areDistinct, oneOf } from "./equality.js"
import { limits } from "./limits.js"
import { Exhausted, Meter } from "./meter.js"
import { Automaton } from "./pattern/automaton.js"
import { prepare, workKeyword } from "./prepare.js"
import { UnusableSchema } from "./unusable-schema.js"

/** What came of holding a value against a schema. */
export type Verdict =
  | { readonly _tag: "Valid" }
  /** `pointer` leads to the place in the value; empty for all of it. */
  | { readonly _tag: "Invalid"; readonly pointer: string; readonly reason: string }
  /** Over a limit: nothing is known. */
  | { readonly _tag: "Unknown"; readonly reason: string }

/** A schema that values can be held against, or why it is not one, and where. */
export type Compiled =
  | { readonly ok: true; readonly check: (value: unknown) => Verdict }
  | { readonly ok: false; readonly pointer: string; readonly reason: string }

/** The work of looking at one value: what is counted, measured or walked through in it. */
const breadthOf = (value: unknown): number => {
  if (typeof value === "string") return value.length >> 3
  if (Array.isArray(value)) return value.length
  return isJsonObject(value) ? Object.keys(value).length : 0
}

/**
 * Counts the work of each schema that looks at a value. The errors that a function has collected count as
 * well: they are copied whenever a schema that it refers to fails.
 */
const workOf = (meter: Meter): KeywordDefinition => {
  const spend = (work: number, value: unknown, errors: number): void =>
    meter.spend(work + breadthOf(value) + (errors >> 5))
  return {
    keyword: workKeyword,
    before: "$ref",
    code: ({ gen, schema, data }) => {
      const ref = gen.scopeValue("keyword", { ref: spend })
      gen.code(_`${ref}(${schema}, ${data}, ${new Name("errors")})`)
    },
  }
}

/** Keywords that compare values with each other, instead of the compiler's own. */
const comparisons = (meter: Meter): ReadonlyArray<KeywordDefinition> => [
  {
    keyword: "uniqueItems",
    type: "array",
    compile: (wanted: boolean) => (items: ReadonlyArray<unknown>) =>
      !wanted || areDistinct(items, meter),
    error: { message: "must not have two equal items" },
  },
  {
    keyword: "enum",
    compile: (list: ReadonlyArray<unknown>) => oneOf(list, meter),
    error: { message: "must be one of the values that the schema lists" },
  },
  {
    keyword: "const",
    compile: (only: unknown) => oneOf([only], meter),
    error: { message: "must be the value that the schema names" },
  },
]

/** Every schema has a compiler of its own, so that none can reach into another by a name. */
const compilerOf = (meter: Meter, patterns: ReadonlyMap<string, Automaton>): Ajv2020 => {
  const engine = (source: string): Automaton => patterns.get(source) ?? new Automaton(source, meter)
  // Ajv asks for the code of the engine only to write files, which it is not asked to do.
  const regExp = Object.assign(engine, { code: "" })
  const ajv = new Ajv2020({
    strict: false,
    meta: false,
    validateSchema: false,
    validateFormats: false,
    inlineRefs: false,
    // Members of a prototype are nobody's: `required: ["toString"]` wants one of its own.
    ownProperties: true,
    logger: false,
    // Code that is a little slower is made in half the time.
    code: { regExp, optimize: false },
  })
  for (const comparison of comparisons(meter)) {
    ajv.removeKeyword(String(comparison.keyword))
    ajv.addKeyword(comparison)
  }
  return ajv.addKeyword(workOf(meter))
}

/** A property that should not be there is named; it is the text of whoever wrote the value. */
const messageOf = ({ keyword, message, params }: ErrorObject): string | undefined => {
  const surplus: unknown =
    keyword === "additionalProperties"
      ? params["additionalProperty"]
      : keyword === "unevaluatedProperties"
        ? params["unevaluatedProperty"]
        : undefined
  return surplus === undefined ? message : `${message}: ${JSON.stringify(surplus)}`
}

/** Of several errors the last is that of the outermost keyword, but `if` says less than what failed below it. */
const shown = (errors: ReadonlyArray<ErrorObject> | null | undefined): Verdict => {
  const told = errors?.findLast(({ keyword }) => keyword !== "if")
  return {
    _tag: "Invalid",
    pointer: told?.instancePath ?? "",
    // A pattern is part of the message, and is the server's text.
    reason: plainText((told && messageOf(told)) ?? "must conform to the schema"),
  }
}

const unknown = (reason: string): Verdict => ({ _tag: "Unknown", reason })

/**
 * Compiles a server's schema. Never throws: a schema that cannot be used says why, and where (C013).
 */
export const compile = (schema: JsonObject): Compiled => {
  const meter = new Meter(limits.steps)
  const patterns = new Map<string, Automaton>()
  try {
    const prepared = prepare(schema, (source) => {
      if (!patterns.has(source)) patterns.set(source, new Automaton(source, meter))
    })
    const conforms = compilerOf(meter, patterns).compile(prepared)
    return {
      ok: true,
      check: (value) => {
        const size = jsonSizeOf(value, { values: limits.contentValues, depth: limits.contentDepth })
        if (typeof size === "string") return unknown(size)
        meter.reset()
        try {
          return conforms(value) ? { _tag: "Valid" } : shown(conforms.errors)
        } catch (error) {
          return unknown(whyNot(error))
        } finally {
          conforms.errors = null
        }
      },
    }
  } catch (error) {
    const pointer = error instanceof UnusableSchema ? error.pointer : ""
    return { ok: false, pointer, reason: whyNot(error) }
  }
}

const whyNot = (error: unknown): string => {
  if (error instanceof UnusableSchema || error instanceof Exhausted) return error.message
  if (error instanceof RangeError) return "refers to itself without end, or is too complicated"
  // The compiler makes code, as a Content-Security-Policy without 'unsafe-eval' forbids.
  if (error instanceof EvalError) return "cannot be compiled: no code may be generated here"
  return `cannot be compiled: ${error instanceof Error ? error.message : "unknown"}`
}
