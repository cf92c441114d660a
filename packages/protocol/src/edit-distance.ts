/**
 * How many single letters must change to make one text of another.
 *
 * @param limit what is given where it takes that many or more; without end by default
 * @example
 * editDistance("sesion", "session") // 1
 */
export const editDistance = (
  one: string,
  other: string,
  limit: number = Number.POSITIVE_INFINITY,
): number => {
  if (Math.abs(one.length - other.length) >= limit) return limit
  let row = Array.from({ length: other.length + 1 }, (_, index) => index)
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i]
    let least = i
    for (let j = 1; j <= other.length; j += 1) {
      const kept = (row[j - 1] ?? 0) + (one[i - 1] === other[j - 1] ? 0 : 1)
      const cost = Math.min(kept, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1)
      next.push(cost)
      least = Math.min(least, cost)
    }
    // No way on leads back below what every cell of a row has reached.
    if (least >= limit) return limit
    row = next
  }
  return Math.min(limit, row[other.length] ?? 0)
}
