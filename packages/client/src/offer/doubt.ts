import { isJsonObject, type JsonObject } from "@entente/protocol"
import type { CallOutcome } from "../call/call.js"
import type { Naming } from "./naming.js"

/**
 * What raises the doubt whether something is still offered: `words` that call it unknown, by its name; or only
 * a `code`, which is also the one for wrong arguments.
 */
export type Doubt = "words" | "code"

/** How servers say that they do not know something, or not any more. */
const denials =
  /unknown|unrecogni[sz]ed|not (?:be )?found|no such|not exist|not (?:registered|available|defined)|no longer|disabled|removed/i

/** How much of a text is looked at, beyond the name that it should have. */
const textLimit = 300

/** What may be part of a name: `get` is not meant where `get_weather` is said. */
const partOfName = /[\p{L}\p{N}_./-]/u

/** Whether an answer gives reason to look again whether the named thing is still in its list. */
export const doubtOf = (naming: Naming, name: string, outcome: CallOutcome): Doubt | undefined => {
  if (outcome.ok) return denies(naming, name, textOfFailure(outcome.result)) ? "words" : undefined
  const { error } = outcome
  if (error._tag !== "PeerError") return undefined
  // Some servers have codes of their own for this: 0, -32603 (V26-ERR-01: they say nothing by themselves).
  if (denies(naming, name, error.rpcMessage)) return "words"
  return naming.codes.includes(error.rpcCode) ? "code" : undefined
}

/** The first text of a result that tells of a failure, as servers answer for tools that they do not know. */
const textOfFailure = (result: JsonObject): string => {
  const { isError, content } = result
  if (isError !== true || !Array.isArray(content)) return ""
  const first: unknown = content[0]
  const text = isJsonObject(first) ? first["text"] : undefined
  return typeof text === "string" ? text : ""
}

/** A guess, by what servers in use say; all that follows from it is that the list is read again. */
const denies = ({ noun }: Naming, name: string, text: string): boolean => {
  if (name === "" || text.length > name.length + textLimit) return false
  return names(text, name) && text.toLowerCase().includes(noun) && denials.test(text)
}

/** Whether a text has a name that begins and ends where the name does. */
const names = (text: string, name: string): boolean => {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const before = text[at - 1]
    const after = text.slice(at + name.length)
    // A sentence may end right behind the name.
    const ends = /^(?:$|\.(?:\s|$))/.test(after) || !partOfName.test(after.charAt(0))
    if (ends && (before === undefined || !partOfName.test(before))) return true
  }
  return false
}
