import type { Era } from "@entente/protocol"
import type { Script } from "@entente/testkit"
import type { DiagnosisContext, ExamineOptions, Family } from "@entente/doctor"
import type { ClumsyClient } from "./clumsy-client.js"

/** A server with one fault, and the cause that the doctor has to name first. */
export interface Variant {
  /** In kebab-case, unique. */
  readonly name: string
  readonly family: Family
  readonly era: Era
  readonly over: "stdio" | "http" | "memory"
  readonly script: () => Script
  /** The code of the first hypothesis. */
  readonly expects: string
  readonly verdict: "degraded" | "failed"
  readonly options?: ExamineOptions
  /** Headers that count as credentials: examined with and without them. */
  readonly credentials?: Readonly<Record<string, string>>
  /** The fault is the client's, or of something between: this one speaks, and its trace is diagnosed. */
  readonly client?: (client: ClumsyClient) => Promise<unknown>
  readonly context?: DiagnosisContext
}
