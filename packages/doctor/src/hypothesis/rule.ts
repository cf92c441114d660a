import type { Case } from "../case.js"
import type { Evidence, Family, Fix, StageName } from "../diagnosis.js"
import { isShellWord, shellWord } from "../shell-word.js"

/** That a cause was found, and where it shows. */
export interface Finding {
  /** From 0 to 1. 0.9 and more: the trace shows it; 0.5: it may as well be something else. */
  readonly confidence: number
  readonly evidence: ReadonlyArray<Evidence>
  /** Instead of the rule's own, where the same cause harms another one here. */
  readonly stage?: StageName
  /** Instead of the rule's own words, where the trace says more. */
  readonly title?: string
  readonly expected?: string
  readonly fix?: Partial<Fix>
  readonly next?: string
}

/** One cause, and how it shows. */
export interface Rule {
  /** A stable name; each has a heading in the docs. */
  readonly code: string
  readonly family: Family
  /** The stage that it harms. */
  readonly stage: StageName
  /**
   * `fails`: no tool can be had because of it. `costs`: some cannot, or nobody can say that none is missing.
   * `remark`: worth knowing, and no reason to call a connection ill.
   */
  readonly weight: "fails" | "costs" | "remark"
  readonly title: string
  /** What a right exchange has there. */
  readonly expected: string
  readonly fix: Fix
  /** The command that would settle it. */
  readonly next: (given: Case) => string
  /** Less exact causes that are left out where this one was found. */
  readonly supersedes?: ReadonlyArray<string>
  /** Looks for it; undefined where the trace does not show it. It never throws. */
  readonly find: (given: Case) => Finding | undefined
}

/** The address without what is asked or proved with it: the log of a browser has no channel that names it. */
const withoutQuery = (url: string): string | undefined => {
  if (!URL.canParse(url)) return undefined
  const { origin, pathname, protocol } = new URL(url)
  return protocol === "http:" || protocol === "https:" ? shellWord(origin + pathname) : undefined
}

/** The server as the next command names it. */
const targetOf = ({ context, trace, main }: Case): string => {
  if (context.target !== undefined) return context.target
  const channel = trace.find((event) => event.type === "channel")
  if (channel?.type !== "channel") {
    const post = main.conversation.exchanges.find(({ method }) => method === "POST")
    return (post && withoutQuery(post.url)) ?? "TARGET"
  }
  const { target, transport } = channel
  if (transport !== "stdio") return shellWord(target)
  return target.split(" ").every(isShellWord) ? `-- ${target}` : "-- COMMAND"
}

/** `entente doctor`, with flags, for the server that is looked at. */
export const examineAgain =
  (flags = "") =>
  (given: Case): string =>
    `entente doctor ${flags === "" ? "" : `${flags} `}${targetOf(given)}`

/** Another command of `entente` for that server. */
export const command =
  (words: string) =>
  (given: Case): string =>
    `entente ${words} ${targetOf(given)}`
