import { liesUnder } from "../subscription/lies-under.js"

/** A reason to believe that what was kept until then is no longer so. */
export interface Doubt {
  /** When it came, on the clock of this side. */
  readonly at: number
  /** How many there were by then, for what one moment of the clock cannot tell apart. */
  readonly count: number
}

const none: Doubt = { at: -Infinity, count: 0 }

/** As many resources as are told apart; beyond them a doubt about one is a doubt about all. */
export const maxUris = 1_000

/** Longer ones are not kept in mind: a server decides how long they are. */
const maxUriLength = 4_096

/** Whether one resource may be a part of the other, so that a change of one is a change of both (V26-SUB-14). */
export const related = (one: string, other: string): boolean =>
  liesUnder(one, other) || liesUnder(other, one)

/** Everything that has made kept results of one method doubtful: all of them, or those about a resource. */
export class Doubts {
  #count = 0
  #all = none
  readonly #byUri = new Map<string, Doubt>()

  /** How many there were so far. */
  get count(): number {
    return this.#count
  }

  /** What was kept until now is doubtful, or only what is about a resource, its parts and what it is part of. */
  raise(at: number, uri?: string): void {
    const doubt = { at, count: ++this.#count }
    if (uri !== undefined && uri.length <= maxUriLength && this.#byUri.size < maxUris) {
      this.#byUri.set(uri, doubt)
      return
    }
    this.#all = doubt
    this.#byUri.clear()
  }

  /** The latest that concerns everything, or a resource. */
  latest(uri?: string): Doubt {
    let latest = this.#all
    if (uri === undefined) return latest
    for (const [doubted, doubt] of this.#byUri) {
      if (doubt.count > latest.count && related(uri, doubted)) latest = doubt
    }
    return latest
  }
}
