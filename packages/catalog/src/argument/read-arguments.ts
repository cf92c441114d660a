import { compileSchema } from "@entente/client"
import { isJsonObject, plainText, type JsonObject } from "@entente/protocol"
import type { NamedTool } from "../projection/projection.js"
import type { ArgumentsChange, ArgumentsReading } from "./arguments-reading.js"
import { dropNulls } from "./drop-nulls.js"
import { ownNames, ownPointers } from "./own-names.js"
import { WidenedPlaces } from "./widened-places.js"

/** How arguments are read. */
export interface ReadArgumentsOptions {
  /**
   * Whether null is left out wherever the tool's schema refuses it and the member may be absent (C091). Off by
   * default: then only those nulls go that the tool's own projection has asked the model for.
   */
  readonly dropNulls?: boolean
}

const refused = (message: string): ArgumentsReading => ({
  ok: false,
  faults: [{ pointer: "", message }],
})

/** What is wrong with a text. The engine's own words are not shown: they quote it, and it may hold secrets. */
const whyNoJson = (text: string, error: unknown): string => {
  const said = String(error)
  const [, at] = /at position (\d+)/.exec(said) ?? []
  return /end of JSON|unterminated/i.test(said) || Number(at) === text.length
    ? "The arguments end before their JSON does."
    : "The arguments are no JSON."
}

/** The value that was given, where it was given as a text. */
const parse = (given: unknown): { readonly value: unknown } | { readonly fault: string } => {
  if (typeof given !== "string") return { value: given }
  if (given.trim() === "") return { value: undefined }
  try {
    return { value: JSON.parse(given) as unknown }
  } catch (error) {
    return { fault: whyNoJson(given, error) }
  }
}

const kindOf = (value: unknown): string => (Array.isArray(value) ? "array" : typeof value)

const unchecked = (pointer: string, detail: string): ArgumentsChange => ({
  kind: "unchecked",
  pointer,
  detail: plainText(detail),
})

/** What a schema says to arguments. */
const check = async (
  schema: JsonObject,
  sent: JsonObject,
  changes: ReadonlyArray<ArgumentsChange>,
): Promise<ArgumentsReading> => {
  const compiled = await compileSchema(schema)
  if (!compiled.ok) {
    const pointer = `/inputSchema${compiled.pointer}`
    const why = unchecked(pointer, `The tool's schema cannot be used: it ${compiled.reason}.`)
    return { ok: true, arguments: sent, changes: [...changes, why] }
  }
  const verdict = compiled.check(sent)
  if (verdict._tag === "Invalid") {
    const { pointer, reason: message } = verdict
    return { ok: false, faults: [{ pointer, message }] }
  }
  const why =
    verdict._tag === "Unknown"
      ? [unchecked("/inputSchema", `The arguments were not checked: ${verdict.reason}.`)]
      : []
  return { ok: true, arguments: sent, changes: [...changes, ...why] }
}

/**
 * Reads the arguments that a model gave for a tool, as the server will get them. They may be an object or, as
 * OpenAI has it, a text with one. They are held against the schema that the server sent, with every keyword
 * in it, and never against what a projection made of it (C014). Arguments that the projection had to rename
 * get their own names back, and nulls that it asked for are left out (C085). Where a schema cannot be used, or not within its limits, the arguments go unchecked, and
 * `changes` says so. Never rejects.
 *
 * @example
 * const named = {
 *   server: "s1",
 *   name: "s1__find",
 *   tool: {
 *     name: "find",
 *     inputSchema: {
 *       type: "object",
 *       properties: { q: { type: "string" }, since: { type: "string" } },
 *       required: ["q"],
 *     },
 *   },
 * } as const
 * await readArguments(named, '{"since":"2026"}')
 * // { ok: false, faults: [{ pointer: "", message: "must have required property 'q'" }] }
 * await readArguments(named, { q: "x", since: null }, { dropNulls: true })
 * // { ok: true, arguments: { q: "x" }, changes: [{ kind: "nulls-dropped", … }] }
 */
export const readArguments = async (
  named: NamedTool,
  given: unknown,
  options: ReadArgumentsOptions = {},
): Promise<ArgumentsReading> => {
  const parsed = parse(given)
  if ("fault" in parsed) return refused(parsed.fault)
  const { value } = parsed
  const { inputSchema } = named.tool
  if (value === undefined || value === null) {
    const detail = "The model gave no arguments; they are {}."
    return check(inputSchema, {}, [{ kind: "filled", detail }])
  }
  if (!isJsonObject(value)) return refused(`The arguments must be an object, not ${kindOf(value)}.`)
  const own = ownNames(value, named.renamed)
  const widened = new WidenedPlaces(ownPointers(named.widened ?? [], named.renamed))
  const all = options.dropNulls === true
  const { arguments: sent, pointers } = dropNulls(own, inputSchema, widened, all)
  const places = plainText(pointers.slice(0, 10).join(", "))
  const detail = `Left out null at ${places}: the tool's schema has none there.`
  return check(
    inputSchema,
    sent,
    pointers.length === 0 ? [] : [{ kind: "nulls-dropped", pointers, given: value, detail }],
  )
}
