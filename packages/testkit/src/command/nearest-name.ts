import { editDistance } from "@entente/protocol"

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
    .map((name) => ({ name, cost: editDistance(word, name) }))
    .filter(({ cost }) => cost <= Math.max(1, word.length / 3))
    .toSorted((a, b) => a.cost - b.cost)
    .map(({ name }) => name)
  return [...new Set([...near.slice(0, 1), ...holding])].slice(0, 5)
}
