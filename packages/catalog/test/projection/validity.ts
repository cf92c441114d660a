import { Ajv2020 } from "ajv/dist/2020.js"
import { Ajv } from "ajv"

const options = {
  strict: false,
  validateFormats: false,
  logger: false,
  // The generator sends valid ones, and checking that costs more than all the rest.
  validateSchema: false,
  addUsedSchema: false,
} as const

type Check = (value: unknown) => boolean

/** A validator for a schema of JSON Schema 2020-12; undefined where it is none. Formats are annotations. */
export const validator = (schema: unknown): Check | undefined => {
  try {
    const check = new Ajv2020(options).compile(schema as object)
    return (value) => {
      try {
        return check(value) === true
      } catch {
        // A definition that is nothing but itself has no end.
        return false
      }
    }
  } catch {
    return undefined
  }
}

/** The same by draft-07, which has to agree on what goes to callers who may take it for that. */
export const olderValidator = (schema: unknown): Check => {
  const check = new Ajv(options).compile(schema as object)
  return (value) => check(value) === true
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** What a schema of Gemini's `parameters` means, in JSON Schema. */
export const meaningOfOpenApi = (schema: unknown): unknown => {
  if (!isObject(schema)) return schema
  const { type, nullable, anyOf, items, properties, ...others } = schema
  const meant: Record<string, unknown> = { ...others }
  if (typeof type === "string") meant["type"] = type.toLowerCase()
  if (Array.isArray(anyOf)) meant["anyOf"] = anyOf.map(meaningOfOpenApi)
  if (items !== undefined) meant["items"] = meaningOfOpenApi(items)
  if (isObject(properties)) {
    const entries = Object.entries(properties)
    meant["properties"] = Object.fromEntries(
      entries.map(([name, each]) => [name, meaningOfOpenApi(each)]),
    )
  }
  return nullable === true ? { anyOf: [meant, { type: "null" }] } : meant
}
