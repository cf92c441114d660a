import { isJsonObject } from "@entente/protocol"
import type { Applicator, KeywordKind } from "./keywords.js"

/** Keywords that a value is held against. */
export type Assertion = Exclude<KeywordKind, Applicator | "reference" | "pattern">

const types: ReadonlySet<unknown> = new Set([
  "array",
  "boolean",
  "integer",
  "null",
  "number",
  "object",
  "string",
])

const isDistinct = (list: ReadonlyArray<unknown>): boolean => new Set(list).size === list.length

const isListOf = (value: unknown, is: (member: unknown) => boolean): boolean =>
  Array.isArray(value) && isDistinct(value) && value.every(is)

const isText = (value: unknown): boolean => typeof value === "string"

export const isNames = (value: unknown): value is ReadonlyArray<string> => isListOf(value, isText)

/** What the meta-schemas of both dialects demand of a keyword's value, and in words (V26-SCHEMA-09). */
const demands: {
  readonly [Kind in Assertion]: readonly [expected: string, is: (value: unknown) => boolean]
} = {
  type: [
    "one or more of array, boolean, integer, null, number, object and string",
    (value) =>
      types.has(value) ||
      (isListOf(value, (member) => types.has(member)) && Array.isArray(value) && value.length > 0),
  ],
  any: ["anything", () => true],
  // The meta-schemas allow none; nothing could ever conform to that.
  values: ["a list of values", (value) => Array.isArray(value) && value.length > 0],
  names: ["a list of different names", isNames],
  nameMap: [
    "lists of different names",
    (value) => isJsonObject(value) && Object.values(value).every(isNames),
  ],
  number: ["a number", (value) => typeof value === "number"],
  positive: ["a number above 0", (value) => typeof value === "number" && value > 0],
  count: [
    "an integer from 0 on",
    (value) => typeof value === "number" && Number.isInteger(value) && value >= 0,
  ],
  flag: ["true or false", (value) => typeof value === "boolean"],
}

/** Why a value may not stand under a keyword, in words; nothing where it may. */
export const misfit = (kind: Assertion, value: unknown): string | undefined => {
  const [expected, is] = demands[kind]
  return is(value) ? undefined : `is not ${expected}`
}
