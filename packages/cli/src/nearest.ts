import { editDistance } from "@entente/protocol"

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
      cost: word !== "" && name.startsWith(word) ? 0 : editDistance(word, name),
    }))
    .toSorted((a, b) => a.cost - b.cost)
  return best !== undefined && best.cost <= Math.max(1, word.length / 3) ? best.name : undefined
}
