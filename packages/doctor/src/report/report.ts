import type { TraceEvent } from "@entente/trace"
import type { Diagnosis } from "../diagnosis.js"

/** A diagnosis, the trace that it points into, and what the server is called. */
export interface Report {
  /** As a person named it. */
  readonly name: string
  readonly diagnosis: Diagnosis
  readonly trace: ReadonlyArray<TraceEvent>
}
