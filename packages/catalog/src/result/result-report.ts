/** What kind of thing the projection of a result had to change. */
export type ResultReportKind =
  /** A block is left out, because the model API does not take it; a sentence stands in its place. */
  | "dropped"
  /** A text was too long and was cut, which its last sentence says. */
  | "truncated"
  /** Of structured content and the text that says the same, this one is not sent. */
  | "superseded"
  /** An image said to be of one type is of another. */
  | "relabelled"
  /** Characters that no JSON can carry everywhere were replaced. */
  | "repaired"

/** One thing that the projection of a result changed, and where. */
export interface ResultReportEntry {
  readonly kind: ResultReportKind
  /** A JSON pointer into the result, for example `/content/2`. */
  readonly pointer: string
  /** What was done and why, as a sentence for people. */
  readonly detail: string
}
