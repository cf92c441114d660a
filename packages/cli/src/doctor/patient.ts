import type { DiagnosisContext } from "@entente/doctor"
import type { Way } from "../way.js"

/** A server that is to be diagnosed. */
export interface PatientFile {
  /** As people call it. */
  readonly name: string
  /** Undefined where there is none: then only what is known of it is diagnosed. */
  readonly way: Way | undefined
  readonly context: DiagnosisContext
}
