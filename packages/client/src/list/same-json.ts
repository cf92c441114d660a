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
  const members = Object.keys(one)
  if (members.length !== Object.keys(other).length) return false
  return members.every(
    (member) =>
      Object.hasOwn(other, member) &&
      sameJson(one[member as keyof typeof one], other[member as keyof typeof other]), // own members
  )
}
