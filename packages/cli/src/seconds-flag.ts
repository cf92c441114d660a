import { UsageError } from "./usage-error.js"

/** Longest delay of a timer, in seconds. */
const longest = 2_147_483

/** The value of a flag in seconds, as milliseconds; more than nothing, unless it may be that. */
export const readSeconds = (
  text: string | undefined,
  flag: string,
  { zero = false }: { readonly zero?: boolean } = {},
): number | undefined => {
  if (text === undefined) return undefined
  const seconds = /^\d+(\.\d+)?$/.test(text) ? Number(text) : -1
  if (seconds < 0 || (seconds === 0 && !zero) || seconds > longest) {
    throw new UsageError(`--${flag} takes seconds, for example --${flag} 2.5.`)
  }
  return Math.ceil(seconds * 1_000)
}
