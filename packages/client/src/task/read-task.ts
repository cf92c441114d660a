import {
  NotTolerated,
  ProtocolViolation,
  explain,
  validateTolerantly,
  type EntenteError,
  type Mismatch,
  type Shape,
} from "@entente/protocol"
import type { TaskReport } from "@entente/session"
import type { NoteBook } from "../wire/note-book.js"

/** A value that was read, or why it could not be. */
export type Reading<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly error: EntenteError }

/** Whose words are read, and who notes what was tolerated. */
export interface TaskReader {
  readonly target: string
  readonly notes: NoteBook
}

/** What a server says of one task. */
export interface SeenTask {
  readonly taskId: string
  readonly report: TaskReport
}

/** The answer that created a task. */
export interface CreatedTask extends SeenTask {
  /** What the server suggests to tell a model meanwhile: provisional, untrusted (V25-TASK-17). */
  readonly immediateResponse?: string
}

/** A result that is not what its method demands. */
export const invalidTask = (
  { target }: TaskReader,
  method: string,
  { pointer, reason }: Pick<Mismatch, "pointer" | "reason">,
): ProtocolViolation => {
  const what = `The result of ${method} is not valid: ${reason} at ${pointer || "its root"}.`
  return new ProtocolViolation({ ...explain("invalid-result", "request", target, what), pointer })
}

/** Checks a value against its shape, and notes what was tolerated in it. */
export const readShape = <Value>(
  reader: TaskReader,
  method: string,
  shape: Shape<Value>,
  value: unknown,
): Reading<Value> => {
  const { notes, target } = reader
  const read = validateTolerantly(shape, value, notes.policy)
  if (read.ok) {
    for (const note of read.notes) notes.add(note)
    return read
  }
  if (read.tolerance === undefined) return { ok: false, error: invalidTask(reader, method, read) }
  const what = `${method}: ${read.reason} at ${read.pointer}.`
  const fields = explain("not-tolerated", "request", target, what)
  return { ok: false, error: new NotTolerated({ ...fields, tolerance: read.tolerance }) }
}
