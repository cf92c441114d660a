import type { Presentation } from "./presentation.js"
import type { Target } from "./target.js"

/** How to reach a server and what to hold it to. */
export interface Connecting extends Presentation {
  readonly target: Target
  /** `auto`, an era or a revision: as written, and checked when the connection is made. */
  readonly era: string
  /** `Name: value`: as written, and checked when the connection is made. */
  readonly headers: ReadonlyArray<string>
  readonly timeoutMs: number | undefined
  readonly strict: boolean
  /** Whether messages may go to another machine over `ws:`. */
  readonly insecure: boolean
  /** The file that the trace is written to. */
  readonly trace: string | undefined
}
