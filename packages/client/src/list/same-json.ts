/**
 * Whether two values that came from JSON are the same, members in any order. It stops at the first
 * difference and makes no text of either: lists are compared on every reading of them.
 */
export const sameJson = (one: unknown, other: unknown): boolean => {
  if (one === other) return true
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) {
    return false
  }
  if (Array.isArray(one) || Array.isArray(other)) {
    return (
      Array.isArray(one) &&
      Array.isArray(other) &&
      one.length === other.length &&
      one.every((item, index) => sameJson(item, other[index]))
    )
  }
  // Loops, not arrays of keys: this runs for every member of every item of a long list.
  let more = 0
  for (const member in one) {
    const key = member as keyof typeof one // what a loop over an object gives is a key of it
    if (!Object.hasOwn(other, key) || !sameJson(one[key], other[key])) return false
    more++
  }
  for (const _ in other) more--
  return more === 0
}
