/**
 * Whether two values that came from JSON are the same, members in any order. It stops at the first
 * difference and makes no text of either: lists are compared on every reading of them. It does not recurse,
 * because a server decides how deep its values are.
 */
export const sameJson = (one: unknown, other: unknown): boolean => {
  /** Containers that are still to be compared, in twos. */
  const pending: Array<object> = []
  /** False where two values differ already; containers wait for their turn. */
  const agree = (left: unknown, right: unknown): boolean => {
    if (left === right) return true
    if (typeof left !== "object" || typeof right !== "object" || left === null || right === null) {
      return false
    }
    pending.push(left, right)
    return true
  }
  if (!agree(one, other)) return false
  while (pending.length > 0) {
    // Both are there: they are pushed in twos.
    const right = pending.pop() as object
    const left = pending.pop() as object
    const same =
      Array.isArray(left) || Array.isArray(right)
        ? sameElements(left, right, agree)
        : sameMembers(left, right, agree)
    if (!same) return false
  }
  return true
}

type Agree = (left: unknown, right: unknown) => boolean

const sameElements = (left: object, right: object, agree: Agree): boolean => {
  if (!Array.isArray(left) || !Array.isArray(right) || left.length !== right.length) return false
  return left.every((element, index) => agree(element, right[index]))
}

const sameMembers = (left: object, right: object, agree: Agree): boolean => {
  // Loops, not arrays of keys: this runs for every member of every item of a long list.
  let more = 0
  for (const member in left) {
    const key = member as keyof typeof left // what a loop over an object gives is a key of it
    if (!Object.hasOwn(right, key) || !agree(left[key], right[key])) return false
    more++
  }
  for (const _ in right) more--
  return more === 0
}
