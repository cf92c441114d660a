/** How many pages, and how many completions, are remembered for one connection. */
const mostRemembered = 1_000

/** A set that forgets its oldest members when it is full. */
class BoundedSet {
  readonly #members = new Set<string>()

  /** Whether it was there already. */
  add(member: string): boolean {
    if (this.#members.has(member)) return true
    this.#members.add(member)
    if (this.#members.size > mostRemembered) {
      const [oldest = ""] = this.#members
      this.#members.delete(oldest)
    }
    return false
  }

  delete(member: string): boolean {
    return this.#members.delete(member)
  }
}

/** Which pages a server has asked for, and which of them it has yet to call completed. */
export class SeenPages {
  readonly #pages = new BoundedSet()
  readonly #expected = new BoundedSet()

  /** Whether the page was asked for before (V26-ELIC-25). */
  add(href: string): boolean {
    return this.#pages.add(href)
  }

  /** An id is opaque, and completed at most once (V25-ELI-10, V25-ELI-12). */
  expect(elicitationId: string): void {
    this.#expected.add(elicitationId)
  }

  /** Whether this completes something that was asked; false for unknown ids and repetitions. */
  complete(elicitationId: string): boolean {
    return this.#expected.delete(elicitationId)
  }
}
