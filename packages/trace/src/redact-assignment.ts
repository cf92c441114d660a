import { redacted, type RedactionPolicy } from "./redaction-policy.js"
import { isSecretName } from "./secret-name.js"
import { looksOpaque } from "./secret-shape.js"

/** `name=`, `name: `, `"name": "`, with quotes that may be escaped, as in JSON inside a string. */
const assignment =
  /(?<![\w.-])(-{0,2})([A-Za-z][\w.-]{0,127})["'\\]{0,6}(\s{0,3}[:=]\s{0,3})(["'\\]{0,6})/g

/** `--name value`, as command lines are printed. */
const flag = /(?<![\w.-])(--?)([A-Za-z][\w.-]{0,127})(\s{1,3})(?=[^\s-])(["'\\]{0,6})/g

/** Words that prose sets before a colon: only what looks made by a machine is hidden after them. */
const proseWords = new Set(["token", "secret", "auth", "pass", "credential", "credentials"])

/** Headers whose values contain spaces: hidden to the end of the line. */
const wholeLine = /^(?:proxy-)?authorization$|^(?:set-)?cookie$/i

const schemes = /^(?:bearer|basic|digest|dpop|negotiate|token|apikey)(?=\s)/i

const longestScheme = 12

/** Hides a credential, and keeps the name of a known scheme: it is often what is wrong. */
export const redactCredential = (value: string): string => {
  if (value === "") return value
  const scheme = schemes.exec(value)?.[0]
  return scheme === undefined ? redacted : `${scheme} ${redacted}`
}

/** How many backslashes stand right before a place. */
const escapesBefore = (text: string, at: number, from: number): number => {
  let start = at
  while (start > from && text[start - 1] === "\\") start--
  return at - start
}

/** The end of a value whose opening quote stands before `from`, after `escapes` backslashes. */
const quotedEnd = (text: string, from: number, quote: string, escapes: number): number => {
  for (let at = text.indexOf(quote, from); at >= 0; at = text.indexOf(quote, at + 1)) {
    const found = escapesBefore(text, at, from)
    // More escapes than the opening quote has: a quote inside the value.
    if (found <= escapes) return at - found
  }
  return text.length
}

/** The end of a JSON object or array that starts at `from`; brackets inside its texts do not count. */
const bracketedEnd = (text: string, from: number): number => {
  let depth = 0
  for (let at = from; at < text.length; at++) {
    const character = text[at]
    if (character === '"') {
      const escapes = escapesBefore(text, at, from)
      at = quotedEnd(text, at + 1, '"', escapes) + escapes
    } else if (character === "{" || character === "[") depth++
    else if (character === "}" || character === "]") depth--
    if (depth === 0) return at + 1
  }
  return text.length
}

const lineEnd = /[\r\n"'`]|$/g
const wordEnd = /[\s"'`&;]|\\["']|$/g

const bareEnd = (text: string, from: number, end: RegExp): number => {
  end.lastIndex = from
  return end.exec(text)?.index ?? text.length
}

const valueEnd = (text: string, from: number, opening: string, name: string): number => {
  const quote = opening.at(-1)
  if (quote === '"' || quote === "'") {
    return quotedEnd(text, from, quote, /\\*(?=.$)/.exec(opening)?.[0].length ?? 0)
  }
  if (wholeLine.test(name)) return bareEnd(text, from, lineEnd)
  if (text[from] === "{" || text[from] === "[") return bracketedEnd(text, from)
  // "Bearer abc" is one value.
  const scheme = schemes.exec(text.slice(from, from + longestScheme))?.[0] ?? ""
  return bareEnd(text, scheme === "" ? from : from + scheme.length + 1, wordEnd)
}

/** Whether what a pattern found is the name of a secret. */
const namesSecret = (
  dashes: string,
  name: string,
  separator: string,
  policy: RedactionPolicy,
): boolean => {
  // Flags and the variables of a shell are named like parameters, not like the words of a message.
  const asAddress = dashes !== "" || (separator === "=" && /^[A-Z0-9_]+$/.test(name))
  return isSecretName(name, asAddress ? "address" : "message", policy)
}

/** Whether a value after a colon is the next word of a sentence, as in "token: expired". */
const isProse = (name: string, separator: string, opening: string, value: string): boolean =>
  opening === "" &&
  /:\s/.test(separator) &&
  proseWords.has(name.toLowerCase()) &&
  !schemes.test(value) &&
  !looksOpaque(value)

/** Whether a value was hidden already; then there is nothing after the mark that belongs to it. */
const isHidden = (text: string, from: number): boolean =>
  text.startsWith(redacted, from) && !/\w/.test(text.charAt(from + redacted.length))

const redactValues = (text: string, pattern: RegExp, policy: RedactionPolicy): string => {
  let safe = ""
  let copied = 0
  pattern.lastIndex = 0
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    const [, dashes = "", name = "", separator = "", opening = ""] = found
    const from = pattern.lastIndex
    if (!namesSecret(dashes, name, separator, policy) || isHidden(text, from)) continue
    const end = valueEnd(text, from, opening, name)
    const value = text.slice(from, end)
    if (value === "" || isProse(name, separator, opening, value)) continue
    safe += `${text.slice(copied, from)}${redactCredential(value)}`
    copied = end
    pattern.lastIndex = end
  }
  return copied === 0 ? text : safe + text.slice(copied)
}

/** Hides the values of secret names in free text: settings, JSON, command lines, headers. */
export const redactAssignments = (text: string, policy: RedactionPolicy): string => {
  const assigned = /[:=]/.test(text) ? redactValues(text, assignment, policy) : text
  const mayHoldFlags = text.includes("-") && /\s/.test(text)
  return mayHoldFlags ? redactValues(assigned, flag, policy) : assigned
}
