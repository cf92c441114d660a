import { redactCommand, redacted, redactUrl } from "@entente/trace"
import { literalText, type Template } from "./template/template.js"

/** Whether a value under this name is most likely a secret. */
export const looksSecret = (name: string, value: string): boolean =>
  value !== "" && redactCommand("", [`${name}=${value}`])[1] !== `${name}=${value}`

/** A literal text with what looks like a secret in it replaced; undefined where nothing does, or it is no literal. */
type Replaced = (replacement: string) => string

const replaceIn =
  (safe: string): Replaced =>
  (replacement) =>
    safe.replaceAll(redacted, () => replacement)

/** Secrets that are written into the arguments of a command, by the place of the argument. */
export const secretsInArguments = (
  command: Template,
  args: ReadonlyArray<Template>,
): ReadonlyMap<number, Replaced> => {
  const written = args.map((argument) => literalText(argument) ?? "")
  const [, ...safe] = redactCommand(literalText(command) ?? "", written)
  return new Map(
    safe.flatMap((text, index) => (text === written[index] ? [] : [[index, replaceIn(text)]])),
  )
}

/** A secret that is written into an address. */
export const secretInUrl = (url: Template): Replaced | undefined => {
  const written = literalText(url)
  if (written === undefined) return undefined
  const safe = redactUrl(written)
  return safe === written ? undefined : replaceIn(safe)
}
