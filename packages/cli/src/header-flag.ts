import { headerFault } from "@entente/protocol"
import { UsageError } from "./usage-error.js"

const hint = "Write --header 'Name: value'."

/**
 * Reads `Name: value`, with or without the space: some hosts break an argument that has one. The value
 * may be a secret, so no error repeats it. CR and LF would begin another header and are refused.
 */
export const readHeader = (text: string): readonly [name: string, value: string] => {
  const colon = text.indexOf(":")
  if (colon < 0) throw new UsageError("A --header has no colon.", hint)
  const name = text.slice(0, colon).trim()
  const value = text.slice(colon + 1).replace(/^[ \t]+|[ \t]+$/g, "")
  const fault = headerFault(name, value)
  if (fault !== undefined) throw new UsageError(`--header: ${fault}.`, hint)
  return [name, value]
}

/** Reads every `--header` of a command line; the same name twice is an error, in any case. */
export const readHeaders = (texts: ReadonlyArray<string>): Readonly<Record<string, string>> => {
  const headers = texts.map(readHeader)
  const seen = new Set<string>()
  for (const [name] of headers) {
    if (seen.has(name.toLowerCase())) throw new UsageError(`--header ${name} is given twice.`)
    seen.add(name.toLowerCase())
  }
  return Object.fromEntries(headers)
}
