import { redactCredential } from "./redact-assignment.js"
import { redactText } from "./redact-text.js"
import { redacted, type RedactionPolicy } from "./redaction-policy.js"
import { isSecretName } from "./secret-name.js"
import { isStandIn } from "./stand-in.js"

const withScheme = /^(?:proxy-)?authorization$/i

/** The value of one header as a trace shows it. An empty one stays empty: that is a finding. */
export const redactHeader = (name: string, value: string, policy: RedactionPolicy): string => {
  if (isStandIn(value)) return value
  if (withScheme.test(name)) return redactCredential(value)
  if (value !== "" && isSecretName(name, "address", policy)) return redacted
  return redactText(value, policy)
}

/**
 * Hides the values of secret headers (V25-SEC-01 for the session id), and secrets in the others. Of
 * credentials the scheme is kept. The same object comes back where nothing was secret.
 *
 * @example
 * redactHeaders({ authorization: "Bearer abc" }) // { authorization: "Bearer ‹redacted›" }
 */
export const redactHeaders = (
  headers: Readonly<Record<string, string>>,
  policy: RedactionPolicy = {},
): Readonly<Record<string, string>> => {
  const entries = Object.entries(headers)
  const safe = entries.map(([name, value]) => [name, redactHeader(name, value, policy)] as const)
  // `fromEntries` defines members, so that a header named `__proto__` is one like any other.
  return safe.some(([, value], index) => value !== entries[index]?.[1])
    ? Object.fromEntries(safe)
    : headers
}
