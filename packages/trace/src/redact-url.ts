import { redacted, type RedactionPolicy } from "./redaction-policy.js"
import { isSecretName } from "./secret-name.js"

/** scheme, authority, path, query, fragment; each part may be missing, as in a relative address. */
const parts = /^([a-z][a-z0-9+.-]*:)?(\/\/[^/?#\\]*)?([^?#]*)(\?[^#]*)?(#.*)?$/is

/** An address that has no place for a secret: no userinfo, no query, and only short words in its path. */
const harmless = /^[a-z][a-z0-9+.-]*:\/\/[\w.:-]*(?:\/[\w.-]{0,15})*$/i

/** What hides secrets in a piece of an address: the rules for free text. */
type RedactPiece = (piece: string) => string

/**
 * Whether a path segment looks like a key rather than a word. Some hosts put the credential into the
 * path of the endpoint, where no name betrays it.
 */
const looksLikeKey = (segment: string): boolean =>
  /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(segment) ||
  /^[0-9a-f]{32,}$/i.test(segment) ||
  (/^[\w~=+-]{20,}$/.test(segment) &&
    /[a-z]/.test(segment) &&
    /[A-Z]/.test(segment) &&
    /[0-9]/.test(segment))

const decoded = (text: string): string => {
  const spaced = text.replaceAll("+", " ")
  try {
    return decodeURIComponent(spaced)
  } catch {
    // One bad escape must not hide what the good ones say.
    return spaced.replaceAll(/%([0-7][0-9a-f])/gi, (_, hex: string) =>
      String.fromCodePoint(Number.parseInt(hex, 16)),
    )
  }
}

/** `user:password@host` becomes `‹redacted›@host`; the last @ is the one that counts. */
const redactAuthority = (authority: string): string => {
  const at = authority.lastIndexOf("@")
  return at > 2 ? `//${redacted}${authority.slice(at)}` : authority
}

const redactPath = (path: string, remote: boolean, redactPiece: RedactPiece): string => {
  const pieces = path.split("/")
  const safe = pieces.map((segment) => {
    if (remote && looksLikeKey(segment)) return redacted
    const plain = decoded(segment)
    return redactPiece(plain) === plain ? segment : redacted
  })
  return safe.some((segment, index) => segment !== pieces[index]) ? safe.join("/") : path
}

/** Query and fragment: `name=value` pairs behind one leading character. */
const redactPairs = (pairs: string, policy: RedactionPolicy, redactPiece: RedactPiece): string => {
  const safe = pairs.slice(1).replaceAll(/[^&;]+/g, (pair) => {
    const equals = pair.indexOf("=")
    const name = decoded(equals < 0 ? "" : pair.slice(0, equals))
    const value = decoded(pair.slice(equals + 1))
    const secret = equals >= 0 && value !== "" && isSecretName(name, "address", policy)
    if (!secret && redactPiece(value) === value && redactPiece(name) === name) return pair
    return redactPiece(name) === name && equals >= 0
      ? `${pair.slice(0, equals)}=${redacted}`
      : redacted
  })
  return `${pairs.charAt(0)}${safe}`
}

/** Hides userinfo, secret parameters and keys in the path; everything else stays as it was written. */
export const redactAddress = (
  url: string,
  policy: RedactionPolicy,
  redactPiece: RedactPiece,
): string => {
  if (harmless.test(url)) return url
  const [, scheme = "", authority = "", path = "", query = "", fragment = ""] =
    parts.exec(url) ?? []
  const remote = /^(?:https?|wss?):$/i.test(scheme) || scheme === ""
  return [
    scheme,
    redactAuthority(authority),
    redactPath(path, remote, redactPiece),
    query && redactPairs(query, policy, redactPiece),
    fragment && redactPairs(fragment, policy, redactPiece),
  ].join("")
}
