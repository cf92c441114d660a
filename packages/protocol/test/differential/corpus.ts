import { readFileSync } from "node:fs"
import {
  CreateTaskResult,
  InputRequiredResult,
  LegacyCreateTaskResult,
  paramsSchema,
  resultSchema,
  type Era,
  type Revision,
  type Shape,
} from "../../src/index.js"

/** What of an exchange a message is: what was asked, or one of the ways to answer. */
export type Part = "params" | "result" | "input_required" | "task"

/** One params object or result of the corpus. */
export interface Message {
  readonly name: string
  readonly era: Era
  readonly method: string
  readonly part: Part
  /** Absent where a message has no params at all. */
  readonly value?: unknown
  /** Where the fault is; absent where there is none. */
  readonly pointer?: string
}

const modernMeta = {
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "acme-host", version: "3.1.0" },
  "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {}, url: {} } },
}

const read = (file: string, era?: Era): ReadonlyArray<Message> =>
  readFileSync(new URL(`corpus/${file}.jsonl`, import.meta.url), "utf8")
    .trimEnd()
    .split("\n")
    // "M" stands for the metadata of a modern request, which would make every line twice as long.
    .map((line) => ({
      ...(era === undefined ? {} : { era }),
      ...JSON.parse(line.replace('"_meta":"M"', `"_meta":${JSON.stringify(modernMeta)}`)),
    }))

export const validMessages = [...read("legacy", "legacy"), ...read("modern", "modern")]
export const brokenMessages = read("broken")

const newest: Record<Era, Revision> = { legacy: "2025-11-25", modern: "2026-07-28" }

/** Our description of a message. */
export const ourSchema = ({ method, part, era }: Message): Shape => {
  const shape = {
    params: () => paramsSchema(method, newest[era]),
    result: () => resultSchema(method, newest[era]),
    input_required: () => InputRequiredResult,
    task: () => (era === "modern" ? CreateTaskResult : LegacyCreateTaskResult),
  }[part]()
  if (shape === undefined) throw new Error(`${era} has no ${part} of ${method}`)
  return shape
}
