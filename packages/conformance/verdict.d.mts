import type { ScenarioRun } from "./scenario-run.mjs"

export interface Verdict {
  readonly passed: boolean
  /** Checks that came out one way or the other. */
  readonly made: number
  readonly problems: ReadonlyArray<string>
}

export declare const finalLine: string
export declare const verdict: (run: ScenarioRun) => Verdict
