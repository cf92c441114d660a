import { plainText } from "@entente/protocol"
import { redactText } from "@entente/trace"

/** The longest piece of a foreign text that a message shows, in UTF-16 code units. */
const shown = 200

/** More than is shown is looked at, so that no secret is cut out of recognition. */
const looked = shown * 10

/** The beginning of what a server said, fit for a message: redacted, on one line, without controls. */
export const excerpt = (text: string): string => plainText(redactText(text.slice(0, looked)), shown)
