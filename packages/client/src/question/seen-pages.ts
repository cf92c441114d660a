/** How many pages are remembered for one connection; the oldest are forgotten. */
const mostRemembered = 1_000

/** The pages that a server has asked to be opened. */
export class SeenPages {
  readonly #pages = new Set<string>()

  /** Whether the page was asked for before (V26-ELIC-25). */
  add(href: string): boolean {
    if (this.#pages.has(href)) return true
    this.#pages.add(href)
    if (this.#pages.size > mostRemembered) {
      const [oldest = ""] = this.#pages
      this.#pages.delete(oldest)
    }
    return false
  }
}
