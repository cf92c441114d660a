import type { JsonObject } from "@entente/protocol"
import type { CallExtras } from "./call-options.js"
import type { Connection } from "./connection.js"

/** A request, and an answer to it that may not be the last. */
export interface Turn {
  readonly connection: Connection
  readonly method: string
  readonly params: JsonObject | undefined
  readonly options: CallExtras
  readonly result: JsonObject
}
