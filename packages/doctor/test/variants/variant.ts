import type { Era } from "@entente/protocol"
import type { Script } from "@entente/testkit"
import type { DiagnosisContext, ExamineOptions, Family, Patient } from "@entente/doctor"
import type { ClumsyClient } from "./clumsy-client.js"

/** What is examined, and how it is put away afterwards. */
export interface Started {
  readonly patient: Patient
  readonly close: () => Promise<void>
}

/** A server with one fault, and the cause that the doctor has to name first. */
export interface Variant {
  /** In kebab-case, unique. */
  readonly name: string
  readonly family: Family
  readonly era: Era
  readonly over: "stdio" | "http" | "memory" | "ws" | "sse"
  readonly script: () => Script
  /** What is at the place of a scripted server, where there is none: a command or an address by itself. */
  readonly start?: () => Promise<Started>
  /** The path to connect to where it is not the endpoint. */
  readonly path?: string
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
