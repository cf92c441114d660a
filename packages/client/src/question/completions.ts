/** How many pages are waited for at the same time; the oldest is forgotten, and never told of. */
const mostExpected = 1_000

interface Expected {
  readonly promise: Promise<void>
  readonly resolve: () => void
}

const expectation = (): Expected => {
  let resolve = (): void => {}
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

/** Pages that a legacy server may yet call completed, by its own ids, which are opaque (V25-ELI-10). */
export class Completions {
  readonly #expected = new Map<string, Expected>()

  /** Resolves when the server says so, which may be never (V25-ELI-12). */
  expect(elicitationId: string): Promise<void> {
    const known = this.#expected.get(elicitationId)
    if (known !== undefined) return known.promise
    const expected = expectation()
    this.#expected.set(elicitationId, expected)
    if (this.#expected.size > mostExpected) {
      const [oldest = ""] = this.#expected.keys()
      this.#expected.delete(oldest)
    }
    return expected.promise
  }

  /** Whether this completes something that was asked for; unknown ids and repetitions mean nothing. */
  complete(elicitationId: string): boolean {
    const expected = this.#expected.get(elicitationId)
    this.#expected.delete(elicitationId)
    expected?.resolve()
    return expected !== undefined
  }
}
