import { plainText } from "@entente/protocol"
import { redactText } from "@entente/trace"
import { shellWord } from "../shell-word.js"

/** How many names a sentence lists. */
const shownNames = 5

/** A name that a server or a file has given, harmless on one line. */
export const shown = (name: string): string => JSON.stringify(redactText(plainText(name, 60)))

/** Some names, and how many more there are. */
export const someOf = (names: ReadonlyArray<string>): string => {
  const listed = names.slice(0, shownNames).map(shown).join(", ")
  const more = names.length - shownNames
  return more > 0 ? `${listed} and ${more} more` : listed
}

/** `1 tool`, `2 tools`. */
export const counted = (count: number, noun: string): string =>
  `${count} ${noun}${count === 1 ? "" : "s"}`

/** Lists what the server offers, past all lists of the client. */
export const listsTools = (server: string, kind: string): string =>
  `entente tools ${shellWord(server)} --from ${shellWord(kind)}`

/** Says all that is wrong with the client's files. */
export const checksConfig = (kind: string): string =>
  `entente config check --from ${shellWord(kind)}`
