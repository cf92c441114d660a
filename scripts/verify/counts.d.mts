export interface Counts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

export declare const countsOfExit: (exitCode: number | null) => Counts
export declare const countsOfVitest: (report: string | undefined, exitCode: number | null) => Counts
export declare const countsOfClosingLine: (output: string, exitCode: number | null) => Counts
export declare const sum: (all: ReadonlyArray<Counts>) => Counts
export declare const line: (counts: Counts) => string
