import type { RedactionPolicy } from "./redaction-policy.js"

/**
 * Where a name stands. In a message or in prose, words like `key`, `code` and `state` are ordinary; in
 * a header, a query or on a command line they name secrets.
 */
export type Place = "message" | "address"

/** Two spellings of one name become the same: `client_secret`, `Client-Secret`, `clientSecret`. */
const folded = (name: string): string => name.toLowerCase().replaceAll(/[-_.\s]/g, "")

/** Names that are secret wherever they stand. */
const exact = new Set(
  [
    ["auth", "authorization", "proxyauthorization", "cookie", "setcookie"],
    ["mcpsessionid", "sessionid", "sid", "requeststate"],
    ["pwd", "pass", "passcode", "otp", "cvv", "jwt", "bearer", "codeverifier", "assertion"],
  ].flat(),
)

/** Names are also secret by their end, whatever stands before it: `OPENAI_API_KEY`, `dbPassword`. */
const endings = [
  ["token", "secret", "password", "passwd", "passphrase", "credential", "credentials"],
  ["apikey", "accesskey", "secretkey", "privatekey", "signingkey", "encryptionkey", "authkey"],
  ["secrets", "passwords", "apikeys", "accesstokens", "refreshtokens"],
  ["accesskeyid", "connectionstring", "clientassertion", "authheader", "authcookie"],
].flat()

/** Tokens that only say where something stands. */
const harmless = new Set(
  ["progress", "next", "page", "nextpage", "continuation", "sync"].map((what) => `${what}token`),
)

const exactInAddresses = new Set(["code", "state", "session", "sig", "dsn", "pat"])
const endingsInAddresses = ["key", "signature", "authorization", "auth", "cookie", "sessionid"]

/** Every secret name contains one of these, so that most names are cleared by one look. */
const suspicious =
  /auth|cookie|session|sid|state|pwd|pass|code|otp|cvv|jwt|bearer|assertion|token|secret|credential|key|connection|sig|dsn|pat/i

const endsWithAny = (name: string, ends: ReadonlyArray<string>): boolean =>
  ends.some((end) => name.endsWith(end))

const extraNames = new WeakMap<RedactionPolicy, ReadonlySet<string>>()

const namedBy = (policy: RedactionPolicy): ReadonlySet<string> => {
  const known = extraNames.get(policy)
  if (known !== undefined) return known
  const names = new Set(policy.names?.map(folded))
  extraNames.set(policy, names)
  return names
}

/** Whether the value under a name is a secret. */
export const isSecretName = (name: string, place: Place, policy: RedactionPolicy): boolean => {
  if (policy.names !== undefined && namedBy(policy).has(folded(name))) return true
  if (!suspicious.test(name)) return false
  const plain = folded(name)
  if (exact.has(plain)) return true
  if (endsWithAny(plain, endings)) return !harmless.has(plain)
  if (place === "message") return false
  return exactInAddresses.has(plain) || endsWithAny(plain, endingsInAddresses)
}
