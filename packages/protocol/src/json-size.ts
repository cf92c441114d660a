/** How much of a JSON value is looked at. */
export interface JsonBounds {
  /** JSON values, all counted. */
  readonly values: number
  /** Levels of nesting. */
  readonly depth: number
}

const membersOf = (value: unknown): ReadonlyArray<unknown> => {
  if (typeof value !== "object" || value === null) return []
  return Array.isArray(value) ? value : Object.values(value)
}

/**
 * Counts the values in a JSON value, or says how it is over its bounds. Goes level by level, because a walk
 * by recursion could end the process on a value that is nested deeply enough.
 */
export const jsonSizeOf = (value: unknown, { values, depth }: JsonBounds): number | string => {
  let counted = 1
  let level: ReadonlyArray<unknown> = [value]
  for (let nested = 0; level.length > 0; nested++) {
    if (nested > depth) return `is nested more than ${depth} levels deep`
    const next: Array<unknown> = []
    for (const each of level) {
      const members = membersOf(each)
      counted += members.length
      if (counted > values) return `has more than ${values} values`
      for (const member of members) {
        if (typeof member === "object" && member !== null) next.push(member)
      }
    }
    level = next
  }
  return counted
}
