/** How many single letters must change to make one word of another. */
const distance = (from: string, to: string): number =>
  [...from].reduce(
    (row, letter, index) => {
      const next = [index + 1]
      for (const [column, other] of [...to].entries()) {
        const kept = (row[column] ?? 0) + (letter === other ? 0 : 1)
        next.push(Math.min(kept, (row[column + 1] ?? 0) + 1, (next[column] ?? 0) + 1))
      }
      return next
    },
    Array.from({ length: to.length + 1 }, (_, index) => index),
  )[to.length] ?? 0

/**
 * The names that were probably meant, the best first: those that have the word in them, and the nearest one
 * where few letters differ.
 *
 * @example
 * nearestNames("sesion-404", ["session-404", "get-404"]) // ["session-404"]
 */
export const nearestNames = (word: string, names: ReadonlyArray<string>): ReadonlyArray<string> => {
  const holding =
    word.length < 3
      ? []
      : names
          .filter((name) => name.includes(word))
          .toSorted((a, b) => a.indexOf(word) - b.indexOf(word))
  const near = names
    .map((name) => ({ name, cost: distance(word, name) }))
    .filter(({ cost }) => cost <= Math.max(1, word.length / 3))
    .toSorted((a, b) => a.cost - b.cost)
    .map(({ name }) => name)
  return [...new Set([...near.slice(0, 1), ...holding])].slice(0, 5)
}
