import { redacted } from "./redaction-policy.js"

/**
 * Keys that betray themselves by their form: a prefix that their issuer gives them, and a run of
 * characters after it. Each pattern takes a whole run from its start, so that a text is scanned once.
 */
const issued = [
  String.raw`eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*){0,3}`, // JSON Web Token, signed or encrypted
  String.raw`(?:sk|pk|rk)[-_][\w-]{16,}`, // model providers, payments
  String.raw`gh[a-z]_[A-Za-z0-9]{16,}|github_pat_\w{16,}|gl[a-z]{2,8}-[\w-]{16,}`, // code hosts
  String.raw`xox[a-z]-[\w-]{10,}|xapp-[\w-]{10,}`, // chat
  String.raw`(?:AKIA|ASIA)[A-Z0-9]{16}|AIza[\w-]{30,}|ya29\.[\w-]{16,}|GOCSPX-[\w-]{16,}`, // clouds
  String.raw`(?:npm|hf|gsk|tvly|dop|doo|shpat|shpss|lin_api|ctx7sk|pypi|SG)[-_.][\w.-]{20,}`,
].join("|")

const issuedKey = new RegExp(String.raw`(?<![\w-])(?:${issued})`, "g")

const privateKey =
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----[^]*?(?:-----END [A-Z ]{0,40}PRIVATE KEY-----|$)/g

/** `Bearer …` and its kin; ordinary words and the parameters of a challenge follow them as well. */
const schemeAndToken = /(?<![\w-])(bearer|basic|dpop|token)(\s{1,3})([\w.~+/-]{6,})(={0,2})/gi

/** Whether a word looks made by a machine: a digit, a capital inside, or longer than words are. */
export const looksOpaque = (word: string): boolean =>
  word.length >= 6 && (/\d|[a-z][A-Z]/.test(word) || /^[\w+/=~-]{24,}$/.test(word))

/** `Basic` is an ordinary word; what follows it is a secret if it is `user:password` in Base64. */
const isBasicCredential = (text: string): boolean => {
  try {
    return atob(text).includes(":")
  } catch {
    return false
  }
}

const redactToken = (
  all: string,
  scheme: string,
  space: string,
  token: string,
  padding: string,
): string => {
  const basic = /^basic$/i.test(scheme)
  const secret = basic ? isBasicCredential(token + padding) : looksOpaque(token)
  return secret ? `${scheme}${space}${redacted}` : all
}

/** The shortest text that holds anything of these forms. */
const shortest = "token 123456".length

/** Hides keys that are recognised by their form alone, whatever stands around them. */
export const redactShapes = (text: string): string => {
  if (text.length < shortest) return text
  let safe = text
  if (safe.includes("PRIVATE KEY-----")) safe = safe.replaceAll(privateKey, redacted)
  if (/\s/.test(safe)) safe = safe.replaceAll(schemeAndToken, redactToken)
  return /[-_.]|A[KSI]/.test(safe) ? safe.replaceAll(issuedKey, redacted) : safe
}
