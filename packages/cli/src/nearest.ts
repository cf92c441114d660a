/** How many single letters must change to make one word of another. */
const distance = (from: string, to: string): number => {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= to.length; j += 1) {
      const above = row[j] ?? 0
      const left = next[j - 1] ?? 0
      const diagonal = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1)
      next.push(Math.min(above + 1, left + 1, diagonal))
    }
    row = next
  }
  return row[to.length] ?? 0
}

/**
 * The name that was probably meant: one that begins with the word, or differs in few letters.
 *
 * @example
 * nearest("heder", ["header", "help"]) // "header"
 */
export const nearest = (word: string, names: ReadonlyArray<string>): string | undefined => {
  const [best] = names
    .map((name) => ({
      name,
      cost: word !== "" && name.startsWith(word) ? 0 : distance(word, name),
    }))
    .toSorted((a, b) => a.cost - b.cost)
  return best !== undefined && best.cost <= Math.max(1, word.length / 3) ? best.name : undefined
}
