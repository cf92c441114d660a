/** One thing that happened; a body grows while it comes. */
export interface Entry {
  readonly add: (text: string) => void
}

/** What a raw client saw, one line for each thing, and a way to wait until it has seen something. */
export interface Transcript {
  /** Writes a line; the same line twice in a row is counted. */
  readonly log: (line: string) => void
  /** Begins a line that grows. */
  readonly begin: (line: string) => Entry
  readonly text: () => string
  /** Resolves as soon as the whole text matches; rejects with the text after a while without. */
  readonly until: (expected: RegExp) => Promise<void>
}

const marks: Readonly<Record<string, string>> = { "\n": "⏎", "\r": "␍", "\uFEFF": "⟨BOM⟩" }
const visible = (text: string): string => text.replace(/[\n\r\uFEFF]/g, (one) => marks[one] ?? one)

/** The beginning and the end of a text of any length. */
class Excerpt {
  private head = ""
  private tail = ""
  private length = 0

  add(text: string): void {
    this.length += text.length
    const room = 4_000 - this.head.length
    this.head += text.slice(0, room)
    if (room < text.length) this.tail = `${this.tail}${text.slice(room)}`.slice(-120)
  }

  toString(): string {
    const cut = this.length > this.head.length + this.tail.length
    return visible(this.head + (cut ? `…(${this.length})…` : "") + this.tail)
  }
}

export const makeTranscript = (): Transcript => {
  const lines: Array<{ readonly excerpt: Excerpt; count: number }> = []
  const waiting = new Set<() => void>()
  let last = ""
  let checking = false
  /** Once in a turn, however much came in it. */
  const changed = (): void => {
    if (checking) return
    checking = true
    setImmediate(() => {
      checking = false
      for (const check of waiting) check()
    })
  }
  const text = (): string =>
    lines
      .map(({ excerpt, count }) => `${excerpt.toString()}${count > 1 ? ` ×${count}` : ""}`)
      .join("\n")

  const begin = (line: string): Entry => {
    const excerpt = new Excerpt()
    excerpt.add(line)
    lines.push({ excerpt, count: 1 })
    last = line
    changed()
    return {
      add: (more) => {
        excerpt.add(more)
        last = ""
        changed()
      },
    }
  }
  return {
    begin,
    text,
    log: (line) => {
      const previous = lines.at(-1)
      if (line === last && previous !== undefined) {
        previous.count += 1
        changed()
      } else begin(line)
    },
    until: (expected) =>
      new Promise((resolve, reject) => {
        const patience = setTimeout(
          () => reject(new Error(`Not seen: ${String(expected)}\n${text()}`)),
          60_000,
        )
        const check = (): void => {
          if (!expected.test(text())) return
          clearTimeout(patience)
          waiting.delete(check)
          resolve()
        }
        waiting.add(check)
        check()
      }),
  }
}
