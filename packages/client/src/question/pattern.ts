/** Steps of a backtracking engine that are always affordable: some milliseconds. */
const affordable = 10_000_000

/** Longer than anything a form needs, and short enough to be compiled without a thought. */
const longest = 500

/** Repetitions inside repetitions, multiplied: above this an engine works long on next to no text. */
const mostRepeated = 1_000

const tokens =
  /\\[pP]\{[^}]*\}|\\.|\[(?:\\.|[^\]\\])*\]|\(\?:|\(\?|[(|)]|[*+?]\??|\{\d+(?:,\d*)?\}\??|[^]/gu

interface Group {
  /** How many ways there are through what stands in it. */
  readonly ways: number
  readonly alternatives: number
  readonly repeated: number
}

const empty: Group = { ways: 1, alternatives: 1, repeated: 1 }

/** How often a quantifier surely repeats, and how many choices it leaves in a text of some length. */
const readQuantifier = (quantifier: string, length: number) => {
  const counts = /^\{(\d+)(,?)(\d*)\}/.exec(quantifier)
  if (counts === null) return { times: 1, choices: quantifier.startsWith("?") ? 2 : length + 1 }
  const [, least = "", comma = "", most = ""] = counts
  if (comma === "") return { times: Number(least), choices: 1 }
  if (most === "") return { times: Number(least), choices: length + 1 }
  return { times: Number(most), choices: Math.max(1, Number(most) - Number(least) + 1) }
}

/**
 * The most ways in which a backtracking engine can go through a text of some length, or nothing where
 * that cannot be said: what looks around or back, and repetitions of what itself leaves a choice.
 */
const waysThrough = (source: string, length: number): number | undefined => {
  const outer: Array<Group> = []
  let group = empty
  /** What a quantifier here would repeat. */
  let last = empty
  for (const [token] of source.matchAll(tokens)) {
    if (token === "(?" || /^\\[1-9k]/.test(token)) return undefined
    if (token === "(" || token === "(?:") {
      outer.push(group)
      group = empty
    } else if (token === "|") {
      group = { ...group, alternatives: group.alternatives + 1 }
    } else if (token === ")") {
      const around = outer.pop()
      if (around === undefined) return undefined
      last = { ...group, ways: group.ways * group.alternatives }
      group = {
        ...around,
        ways: around.ways * last.ways,
        repeated: Math.max(around.repeated, last.repeated),
      }
    } else if (/^(?:[*+?]|\{\d)/.test(token)) {
      const { times, choices } = readQuantifier(token, length)
      const repeated = last.repeated * times
      if (last.ways > 1 || repeated > mostRepeated) return undefined
      group = {
        ...group,
        ways: group.ways * choices,
        repeated: Math.max(group.repeated, repeated),
      }
    } else {
      last = empty
    }
  }
  return outer.length > 0 ? undefined : group.ways * group.alternatives
}

/**
 * Whether a text matches a pattern that a server chose, or nothing where that cannot be found out in
 * bounded time: such patterns are how one program makes another one hang. Like JSON Schema it looks for
 * the pattern anywhere in the text.
 *
 * @example
 * matchesPattern("^[A-Z]{2}-\\d+$", "AB-12") // true
 * matchesPattern("^(a+)+$", "aaaaaaaaaaaaaaaaaaaaaaaaaaaab") // undefined
 */
export const matchesPattern = (source: string, text: string): boolean | undefined => {
  const reads = text.length + 1
  // Without an anchor it may begin at each character.
  const beginnings = source.startsWith("^") && !source.includes("|") ? 1 : reads
  const ways = source.length > longest ? undefined : waysThrough(source, text.length)
  if (ways === undefined || ways * reads * beginnings > affordable) return undefined
  try {
    return new RegExp(source, "u").test(text)
  } catch {
    return undefined
  }
}
