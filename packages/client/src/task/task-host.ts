import type { JsonObject } from "@entente/protocol"
import type { CallExtras } from "../call/call-options.js"
import type { CallOutcome, Cancel } from "../call/call.js"
import type { Life } from "../life/life.js"
import type { NoteBook } from "../wire/note-book.js"

/** The connection, as far as a task needs one to be watched over. */
export interface TaskHost {
  readonly life: Life
  readonly notes: NoteBook
  readonly target: string
  /** The capability that a method needs and the server did not declare. */
  readonly missing: (method: string) => string | undefined
  readonly call: (
    method: string,
    params: JsonObject | undefined,
    options: CallExtras,
    done: (outcome: CallOutcome) => void,
  ) => Cancel
}
