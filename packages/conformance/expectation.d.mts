import type { Scenario } from "./requirement-set.mjs"

/** Revision → reason → names of scenarios. */
export type ExpectedFailures = Readonly<
  Record<string, Readonly<Record<string, ReadonlyArray<string>>>>
>

export type Outcome = "passed" | "failed" | "expected-failure" | "unexpected-pass"

export declare const readExpectedFailures: () => ExpectedFailures
export declare const reasonToFail: (
  expectedFailures: ExpectedFailures,
  revision: string,
  name: string,
) => string | undefined
export declare const unknownNames: (
  expectedFailures: ExpectedFailures,
  revision: string,
  scenarios: ReadonlyArray<Scenario>,
) => ReadonlyArray<string>
export declare const outcome: (passed: boolean, reason: string | undefined) => Outcome
