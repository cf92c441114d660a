import { formats, isFormat, type Format } from "@entente/catalog"
import type { CommandLine } from "./flags.js"
import { nearest } from "./nearest.js"
import type { Presentation } from "./presentation.js"
import type { ConfigSource } from "./target.js"
import { UsageError } from "./usage-error.js"

/** What `entente catalog` is to show. */
export interface CatalogInvocation extends Presentation, ConfigSource {
  readonly name: "catalog"
  /** The model API whose form the tools are to have; undefined for a table. */
  readonly format: Format | undefined
  /** Whether tools are to go in the provider's strict mode, where they can. */
  readonly strictMode: boolean
  readonly watch: boolean
  /** The longest wait for each answer of a server. */
  readonly timeoutMs: number | undefined
}

/** The model API that `--format` names. */
export const readFormat = (word: string | undefined): Format | undefined => {
  if (word === undefined || isFormat(word)) return word
  const meant = nearest(word, formats)
  throw new UsageError(
    `--format knows no ${word}.` + (meant === undefined ? "" : ` Did you mean ${meant}?`),
    `It is one of ${formats.join(", ")}.`,
  )
}

/** Reads the flags of `entente catalog`. */
export const readCatalogCommand = (
  { flags, words }: CommandLine,
  presentation: Presentation,
  source: ConfigSource,
  timeoutMs: number | undefined,
): CatalogInvocation => {
  const [extra] = words
  if (extra !== undefined) {
    throw new UsageError(
      `catalog takes no "${extra}".`,
      "It shows the servers of a configuration file: --config FILE, or --from CLIENT.",
    )
  }
  const format = readFormat(flags.get("format")?.[0])
  const watch = flags.has("watch")
  const strictMode = flags.has("strict-mode")
  if (watch && format !== undefined) {
    throw new UsageError("--watch shows servers and changes; it does not go with --format.")
  }
  if (strictMode && format === undefined) throw new UsageError("--strict-mode is for --format.")
  return { name: "catalog", ...presentation, ...source, format, strictMode, watch, timeoutMs }
}
