import type { ToolFilter } from "../context.js"

/**
 * Whether a text fits a pattern of `*` (any characters) and `?` (one of them). It takes no longer than the product
 * of both lengths, whatever they hold.
 */
export const fits = (text: string, pattern: string): boolean => {
  let at = 0
  let step = 0
  /** The last star, and how far its share of the text reaches. */
  let star = -1
  let shared = 0
  while (at < text.length) {
    const want = pattern[step]
    if (want === "*") {
      star = step
      shared = at
      step += 1
    } else if (want !== undefined && (want === "?" || want === text[at])) {
      at += 1
      step += 1
    } else if (star >= 0) {
      shared += 1
      at = shared
      step = star + 1
    } else return false
  }
  while (pattern[step] === "*") step += 1
  return step === pattern.length
}

/** Clients write such characters of a tool's name as `_`. */
export const wordOf = (tool: string): string => tool.replaceAll(/[^A-Za-z0-9_-]/g, "_")

/** Patterns of one list that are looked at: nobody writes more, but somebody may. */
const patternLimit = 1_000

const split = (names: ReadonlyArray<string>) => ({
  exact: names.filter((name) => !/[*?]/.test(name)),
  patterns: names.filter((name) => /[*?]/.test(name)).slice(0, patternLimit),
})

/**
 * Whether a list names a tool.
 *
 * @example
 * filterOf({ names: ["read"], where: "enabled_tools" })("read") // true
 */
export const filterOf = (filter: ToolFilter): ((tool: string) => boolean) => {
  const prefix = filter.prefix ?? ""
  const exact = new Set(filter.names)
  const patterns = (filter.patterns ?? []).slice(0, patternLimit)
  const except = split(filter.except ?? [])
  const kept = new Set(except.exact)
  const isNamed = (tool: string, names: ReadonlySet<string>, globs: ReadonlyArray<string>) => {
    // The names of an entry are the server's own; those of other places are what the client makes of them.
    if (names.has(tool)) return true
    if (filter.prefix === undefined && globs.length === 0) return false
    const word = wordOf(tool)
    const called = [prefix + tool, ...(word === tool ? [] : [prefix + word])]
    return (
      (filter.prefix !== undefined && names.has(word)) ||
      globs.some((glob) => called.some((name) => fits(name, glob)))
    )
  }
  return (tool) => isNamed(tool, exact, patterns) && !isNamed(tool, kept, except.patterns)
}
