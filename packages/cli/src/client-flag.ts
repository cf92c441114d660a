import { clientKinds, isClientKind, type ClientKind } from "@entente/catalog/config"
import { nearest } from "./nearest.js"
import { UsageError } from "./usage-error.js"

/** The client that a flag names. */
export const readClient = (word: string, flag: "from" | "to" | "client"): ClientKind => {
  if (isClientKind(word)) return word
  const meant = nearest(word, clientKinds)
  throw new UsageError(
    `--${flag} knows no client ${word}.` + (meant === undefined ? "" : ` Did you mean ${meant}?`),
    `It is one of ${clientKinds.join(", ")}.`,
  )
}
