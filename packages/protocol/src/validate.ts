import { jsonPointer } from "./json-pointer.js"
import * as Result from "effect/Result"
import type * as SchemaAST from "effect/SchemaAST"
import * as SchemaIssue from "effect/SchemaIssue"
import * as SchemaParser from "effect/SchemaParser"
import type { Shape } from "./schema/open.js"

/** Why a value does not have its shape. */
export interface Mismatch {
  readonly ok: false
  /** A JSON pointer (RFC 6901) to the place; empty for the value itself. */
  readonly pointer: string
  /** What was expected there, in plain words. It never quotes the value. */
  readonly reason: string
}

/** A value that has its shape, or why it has not. */
export type Validation<T> = { readonly ok: true; readonly value: T } | Mismatch

type Parser = (value: unknown) => Result.Result<unknown, SchemaIssue.Issue>

const parsers = new WeakMap<SchemaAST.AST, Parser>()

const parserOf = (shape: Shape): Parser => {
  const known = parsers.get(shape.ast)
  if (known !== undefined) return known
  const parser = SchemaParser.decodeUnknownResult(shape)
  parsers.set(shape.ast, parser)
  return parser
}

const listIssues = SchemaIssue.makeFormatterStandardSchemaV1()

const mismatch = (issue: SchemaIssue.Issue): Mismatch => {
  const [first] = listIssues(issue).issues
  const path = first?.path ?? []
  return {
    ok: false,
    pointer: jsonPointer(path.map((step) => (typeof step === "object" ? step.key : step))),
    reason: first?.message ?? "not of the expected shape",
  }
}

/**
 * Checks a value and hands out that very object: nothing is copied, dropped or put in order, so
 * what the shape does not mention survives (V25-RPC-11). The parser of a shape is built once. Of
 * several faults the first is told.
 *
 * @example
 * validate(Tool, { name: "x", inputSchema: {} })
 * // { ok: false, pointer: "/inputSchema/type", reason: "Missing key" }
 */
export const validate = <T>(shape: Shape<T>, value: unknown): Validation<T> => {
  const parsed = parserOf(shape)(value)
  return Result.isSuccess(parsed)
    ? { ok: true, value: value as T } // just established
    : mismatch(parsed.failure)
}
