/** One line of the lists. */
export interface Requirement {
  readonly id: string
  readonly level: string
  readonly area: string
  readonly revisions?: string
  readonly summary: string
}

/** The files of an id's tests, by what became of them. */
export interface Found {
  readonly passed: ReadonlySet<string>
  readonly failed: ReadonlySet<string>
  readonly skipped: ReadonlySet<string>
}

export interface Judged extends Requirement {
  readonly verdict: "covered" | "excused" | "later" | "uncovered" | "open"
  readonly demanded: boolean
  readonly recommended: boolean
  readonly files?: ReadonlyArray<string>
  readonly why?: string
}

export interface Tally {
  readonly covered: number
  readonly uncovered: number
  readonly excused: number
}
