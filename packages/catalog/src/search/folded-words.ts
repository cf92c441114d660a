/** Where a new word begins without anything between: `readFile`, `HTTPServer`. */
const humps = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu

/** Everything that is neither letter nor digit. */
const gaps = /[^\p{L}\p{N}]+/u

/**
 * The words of a text in small letters without accents, for searching.
 *
 * @example
 * foldedWords("readFile: Größe_in_KB") // ["read", "file", "grosse", "in", "kb"]
 */
export const foldedWords = (text: string): ReadonlyArray<string> =>
  text
    .replaceAll(humps, " ")
    .normalize("NFKD")
    .replaceAll(/\p{M}+/gu, "")
    .toLowerCase()
    .replaceAll("ß", "ss")
    .split(gaps)
    .filter((word) => word !== "")
