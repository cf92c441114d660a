import type { SchemaRules } from "../provider/schema-rules.js"
import { Rejected, type Report } from "./report.js"

/** What the steps of one tool's conversion share. */
export class Work {
  readonly rules: SchemaRules
  readonly report: Report
  #left: number
  readonly #limit: number

  /** @param limit how many schemas may be made in all: references that name each other can ask for 2^60. */
  constructor(rules: SchemaRules, report: Report, limit: number) {
    this.rules = rules
    this.report = report
    this.#left = limit
    this.#limit = limit
  }

  /** Counts schemas that are about to be made at a place. */
  spend(at: string, count = 1): void {
    this.#left -= count
    if (this.#left >= 0) return
    const reason = `becomes more than ${this.#limit} schemas once references and compositions are resolved`
    throw new Rejected(at, reason)
  }
}
