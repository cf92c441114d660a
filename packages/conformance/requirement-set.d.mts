import type { Suite } from "./suite.mjs"

export interface Scenario {
  readonly name: string
  /** `scored`, or the suite's reason for not scoring it. */
  readonly group: string
}

export declare const revisions: ReadonlyArray<string>
export declare const parseRequirementSet: (text: string) => ReadonlyArray<Scenario>
export declare const requirementSet: (suite: Suite, revision: string) => ReadonlyArray<Scenario>
