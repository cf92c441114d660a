/** Texts longer than this are compared by their beginning. */
const longest = 96

/** Candidates beyond this many are not looked at: an error need not be dear. */
const most = 10_000

/** How many edits lead from one text to another, or `limit` where it takes that many or more. */
const distance = (one: string, other: string, limit: number): number => {
  if (Math.abs(one.length - other.length) >= limit) return limit
  let previous = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let row = 1; row <= one.length; row++) {
    const current = [row]
    let least = row
    for (let column = 1; column <= other.length; column++) {
      const same = one[row - 1] === other[column - 1] ? 0 : 1
      const cost = Math.min(
        (previous[column] as number) + 1, // within bounds, as the next two
        (current[column - 1] as number) + 1,
        (previous[column - 1] as number) + same,
      )
      current.push(cost)
      least = Math.min(least, cost)
    }
    if (least >= limit) return limit
    previous = current
  }
  return Math.min(limit, previous[other.length] as number) // within bounds
}

const folded = (text: string): string => text.slice(0, longest).toLowerCase()

/** Up to three of some texts that another one may have been meant as, the likeliest first. */
export const nearest = (meant: string, candidates: Iterable<string>): ReadonlyArray<string> => {
  const asked = folded(meant)
  const limit = Math.max(3, Math.ceil(asked.length / 3))
  const near: Array<{ readonly candidate: string; readonly edits: number }> = []
  let looked = 0
  for (const candidate of candidates) {
    if (looked++ === most) break
    const edits = distance(asked, folded(candidate), limit)
    if (edits < limit) near.push({ candidate, edits })
  }
  return near
    .toSorted((one, other) => one.edits - other.edits)
    .slice(0, 3)
    .map(({ candidate }) => candidate)
}
