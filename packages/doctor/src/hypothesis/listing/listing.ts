import type { Act, Case } from "../../case.js"
import type { Call, Reply } from "../../conversation/frame.js"
import type { ToolPage, ToolWalk } from "../../conversation/tool-walk.js"
import type { Evidence } from "../../diagnosis.js"
import { evidence } from "../../evidence.js"

/** A page of tools that was asked for and did not come as it should. */
export interface FailedPage {
  readonly walk: ToolWalk
  readonly page: ToolPage
  readonly call: Call
  /** From 0. */
  readonly number: number
}

/** The first page of the last list that could not be read. */
export const failedPage = ({ walk }: Act): FailedPage | undefined => {
  const number = walk?.pages.findIndex(({ reading }) => reading?.ok !== true) ?? -1
  const page = walk?.pages[number]
  return walk === undefined || page === undefined
    ? undefined
    : { walk, page, call: page.call, number }
}

/** `page 2` and so on, for titles; nothing for the first. */
export const pageNamed = (number: number): string => (number === 0 ? "" : `page ${number + 1} of `)

/** Where a request stands. */
export const askedShown = (
  { trace }: Case,
  call: Call,
  marked = '"method":"tools/list"',
): Evidence => evidence(trace, call.index, marked)

/** Where an answer stands. */
export const replyShown = ({ trace }: Case, reply: Reply, marked?: string): Evidence =>
  evidence(trace, reply.index, marked)

/** The head of the HTTP answer to a call, with its status marked. */
export const statusShown = ({ trace }: Case, { http }: Call): ReadonlyArray<Evidence> =>
  http?.answered === undefined
    ? []
    : [evidence(trace, http.answered.index, `HTTP ${http.answered.status}`)]

const sessionWords = /session/i
/** Codes of other families: the version, and sessions as SDKs call them. */
const codesOfOthers: ReadonlySet<number> = new Set([-32020, -32021, -32022, -32001])
const statusesOfOthers: ReadonlySet<number> = new Set([401, 403, 407, 429])

/** Whether a refusal is about the session, the version or the credentials, and not about the list. */
export const isAboutOtherThings = ({ http }: Call, reply: Reply): boolean => {
  if (reply.kind !== "error" && reply.kind !== "status") return false
  const { status } = reply
  if (status !== undefined && statusesOfOthers.has(status)) return true
  if (reply.kind === "error")
    return codesOfOthers.has(reply.error.code) || sessionWords.test(reply.error.message)
  const hasSession = http?.sent?.headers["mcp-session-id"] !== undefined
  return (
    ((status === 400 || status === 404) && hasSession) ||
    sessionWords.test(reply.text.slice(0, 500))
  )
}

/** Milliseconds as a person reads them. */
export const span = (ms: number): string =>
  ms < 950 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1).replace(/\.0$/, "")} s`

/** A refusal in JSON-RPC, or by a status alone. */
export type Refusal = Extract<Reply, { readonly kind: "error" | "status" }>

/** The first page, where it was refused for a reason of its own. */
export const refusedFirst = ({
  main,
}: Case): (FailedPage & { readonly reply: Refusal }) | undefined => {
  const failed = failedPage(main)
  const reply = failed?.call.reply
  if (failed === undefined || failed.number !== 0) return undefined
  if (reply?.kind !== "error" && reply?.kind !== "status") return undefined
  return isAboutOtherThings(failed.call, reply) ? undefined : { ...failed, reply }
}
