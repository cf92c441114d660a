import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { InvalidInput, explain, validate, type Era } from "@entente/protocol"

const Stored = Schema.Struct({
  task: Schema.Literal(1),
  taskId: Schema.String,
  server: Schema.String,
  era: Schema.Literals(["legacy", "modern"]),
  tool: Schema.optionalKey(Schema.String),
})

/**
 * A task as it is kept for another time or process (V26-TASK-09, V25-TASK-16). The id is as good as the
 * task itself to whoever has it, so keep it like a secret.
 */
export type StoredTask = typeof Stored.Type

/** Whose task it must be: the endpoint it was created at, spoken to in the same era (V26-TASK-25). */
export interface TaskHome {
  readonly target: string
  /** The transport's own key: ids mean nothing elsewhere, and are nobody else's business. */
  readonly key: string
  readonly era: Era
}

/** Reads what a handle's `toJSON` gave, as an object or as JSON text; a task of another server is refused. */
export const readStoredTask = (
  given: StoredTask | string,
  { target, key, era }: TaskHome,
): Result.Result<StoredTask, InvalidInput> => {
  const refuse = (what: string) =>
    Result.fail(new InvalidInput(explain("invalid-input", "input", target, what)))
  let value: unknown = given
  if (typeof given === "string") {
    try {
      value = JSON.parse(given)
    } catch {
      return refuse("The stored task is not JSON.")
    }
  }
  const read = validate(Stored, value)
  if (!read.ok) {
    return refuse(`This is no stored task: ${read.reason} at ${read.pointer || "its root"}.`)
  }
  if (read.value.server !== key) return refuse("The task belongs to another server.")
  return read.value.era === era
    ? Result.succeed(read.value)
    : refuse(`The task was created in the ${read.value.era} era, and now the ${era} one is spoken.`)
}
