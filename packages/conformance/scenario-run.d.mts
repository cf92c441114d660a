import type { Scenario } from "./requirement-set.mjs"
import type { Suite } from "./suite.mjs"

export interface Check {
  readonly id: string
  readonly status: "SUCCESS" | "FAILURE" | "WARNING" | "SKIPPED" | "INFO"
  readonly description: string
  readonly errorMessage?: string
  readonly details?: { readonly message?: string }
}

export interface ScenarioRun {
  /** Of the suite; null when it was killed. */
  readonly exitCode: number | null
  /** It did not end by itself, long after it should have stopped the client. */
  readonly overdue: boolean
  /** What the suite printed. */
  readonly output: string
  /** Undefined when the suite left none. */
  readonly checks: ReadonlyArray<Check> | undefined
  /** What the client printed. */
  readonly stdout: string
  readonly stderr: string
  readonly timeoutMs: number
}

export interface ScenarioRunOptions {
  readonly suite: Suite
  readonly command: ReadonlyArray<string>
  readonly scenario: Scenario
  readonly revision: string
  /** For the client; 60,000 by default. */
  readonly timeoutMs?: number
}

export declare const runScenario: (options: ScenarioRunOptions) => Promise<ScenarioRun>
