import { redactHeader } from "./redact-headers.js"
import { redactText } from "./redact-text.js"
import { redacted, type RedactionPolicy } from "./redaction-policy.js"
import { isSecretName } from "./secret-name.js"

/** `--name=value`, `-Dname=value` and `NAME=value`. */
const assigned = /^(-{0,2})([\w.-]{1,128})=([^]+)$/
/** A flag whose value is the next argument. */
const flagged = /^--?([\w.-]{1,128})$/
/** `Name: value`, as an argument of `--header`. */
const header = /^([\w-]{1,128}):(\s*)([^]*)$/

const redactArgument = (argument: string, policy: RedactionPolicy, nested = false): string => {
  const [, dashes = "", name = "", value = ""] = assigned.exec(argument) ?? []
  if (isSecretName(name, "address", policy)) return `${dashes}${name}=${redacted}`
  if (name !== "" && !nested) {
    // `--env=KEY=abc` and `--header=Authorization: …`
    const safe = redactArgument(value, policy, true)
    if (safe !== value) return `${dashes}${name}=${safe}`
  }
  const [, field = "", space = "", content = ""] = header.exec(argument) ?? []
  return isSecretName(field, "address", policy)
    ? `${field}:${space}${redactHeader(field, content, policy)}`
    : redactText(argument, policy)
}

/** What a flag says of the argument after it. */
const redactAfter = (before: string, argument: string, policy: RedactionPolicy): string => {
  const [, name = ""] = flagged.exec(before) ?? []
  const isFlag = argument.startsWith("--")
  if (!isFlag && argument !== "" && isSecretName(name, "address", policy)) return redacted
  // `--user name:password`, as curl takes it.
  if (/^(?:u|user)$/.test(name) && argument.includes(":")) return redacted
  return redactArgument(argument, policy)
}

/**
 * A command and its arguments as a trace or an error shows them: the values of secret flags, variables
 * and headers are hidden, and secrets in URLs.
 *
 * @example
 * redactCommand("npx", ["server", "--token", "abc"]) // ["npx", "server", "--token", "‹redacted›"]
 */
export const redactCommand = (
  command: string,
  args: ReadonlyArray<string>,
  policy: RedactionPolicy = {},
): ReadonlyArray<string> =>
  [command, ...args].map((argument, index, all) =>
    redactAfter(all[index - 1] ?? "", argument, policy),
  )
