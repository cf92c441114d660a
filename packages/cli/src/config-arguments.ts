import type { Presentation } from "./presentation.js"
import type { CommandLine } from "./flags.js"
import { nearest } from "./nearest.js"
import type { ConfigSource } from "./target.js"
import { UsageError } from "./usage-error.js"

/** What `entente config` is to do; the names of clients are as written, and checked when they are used. */
export type ConfigInvocation = Presentation & { readonly name: "config" } & (
    | { readonly action: "list"; readonly from: string | undefined }
    | {
        readonly action: "check"
        readonly file: string | undefined
        readonly from: string | undefined
      }
    | {
        readonly action: "translate"
        readonly file: string
        readonly from: string | undefined
        readonly to: string
        readonly copySecrets: boolean
      }
  )

const one = ({ flags }: CommandLine, name: string): string | undefined => flags.get(name)?.[0]

/** Where a server that is named is looked up. */
export const readSource = (line: CommandLine): ConfigSource => ({
  config: one(line, "config"),
  from: one(line, "from"),
})

const actions = ["list", "check", "translate"]

const hint = "entente config --help shows its usage."

/** Reads the words and flags of `entente config`. */
export const readConfigCommand = (
  line: CommandLine,
  presentation: Presentation,
): ConfigInvocation => {
  const [action, file, extra] = line.words
  const from = one(line, "from")
  const to = one(line, "to")
  const copySecrets = line.flags.has("copy-secrets")
  if (action !== "translate" && (to !== undefined || copySecrets)) {
    throw new UsageError(`${to === undefined ? "--copy-secrets" : "--to"} is for translate.`, hint)
  }
  if (extra !== undefined) throw new UsageError(`config ${action} takes no "${extra}".`, hint)
  const shared = { ...presentation, name: "config" } as const
  switch (action) {
    case "list":
      if (file !== undefined) throw new UsageError(`config list takes no "${file}".`, hint)
      return { ...shared, action, from }
    case "check":
      return { ...shared, action, file, from }
    case "translate":
      if (file === undefined) throw new UsageError("There is no file to translate.", hint)
      if (to === undefined) {
        throw new UsageError("translate needs --to CLIENT.", hint)
      }
      return { ...shared, action, file, from, to, copySecrets }
    case undefined:
      throw new UsageError("config needs one of list, check, translate.", hint)
    default: {
      const meant = nearest(action, actions)
      throw new UsageError(
        `config has no ${action}.` + (meant === undefined ? "" : ` Did you mean ${meant}?`),
        hint,
      )
    }
  }
}
