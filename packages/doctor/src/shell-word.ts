import { plainText } from "@entente/protocol"

/** Characters of a word that are kept. */
const longest = 2_000

/** Whether a shell takes a text for one word that means what a reader reads. */
export const isShellWord = (text: string): boolean => /^[\w./~:@%+,=‹›-]+$/.test(text)

/**
 * A text as one word of a command line, quoted where a shell would take it apart: what is pasted from a trace, which
 * may come from anybody, must be no command.
 *
 * @example
 * shellWord("a b") // "'a b'"
 */
export const shellWord = (text: string): string =>
  isShellWord(text) ? text : `'${plainText(text, longest).replaceAll("'", "'\\''")}'`
