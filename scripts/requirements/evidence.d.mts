import type { Found } from "./types.d.mts"

/** The part of vitest's JSON report that is read. */
export interface UnitReport {
  readonly testResults: ReadonlyArray<{
    readonly name: string
    readonly assertionResults: ReadonlyArray<{ readonly fullName: string; readonly status: string }>
  }>
}

export declare const idsIn: (title: string) => ReadonlyArray<string>
export declare const evidenceOf: (report: UnitReport, root: string) => Map<string, Found>
