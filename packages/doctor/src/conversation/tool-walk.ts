import {
  mirroredParameters,
  isJsonObject,
  readPage,
  type Exclusion,
  type PageReading,
  type Tool,
} from "@entente/protocol"
import { callsOf, type Conversation } from "./conversation.js"
import type { Call } from "./frame.js"

/** One page of tools, as it was asked for and answered. */
export interface ToolPage {
  readonly call: Call
  /** The cursor that was sent; `null` where one was sent as such. */
  readonly cursor: string | null | undefined
  /** What the server sent as `tools`, where that is a list. */
  readonly raw: ReadonlyArray<unknown> | undefined
  /** Undefined where there was no result. */
  readonly reading: PageReading<Tool> | undefined
}

/** A list of tools that was read from its first page on. */
export interface ToolWalk {
  readonly pages: ReadonlyArray<ToolPage>
  /** Whether its last page has come and names no next one, and none before it is missing. */
  readonly complete: boolean
  /** All items of all pages. */
  readonly raw: number
  /** Tools that are valid, each name once. */
  readonly tools: ReadonlyArray<Tool>
}

/** A tool whose annotations break a rule may not be offered by a modern client over HTTP (V26-XHDR-04). */
export const annotationFault = ({ inputSchema }: Tool): Exclusion | undefined => {
  const read = isJsonObject(inputSchema) ? mirroredParameters(inputSchema) : undefined
  return read === undefined || read.ok
    ? undefined
    : { code: "tool-left-out", pointer: `/inputSchema${read.pointer}`, reason: read.reason }
}

const pageOf = (call: Call, page: number, annotated: boolean): ToolPage => {
  const cursor = call.params?.["cursor"]
  const result = call.reply?.kind === "result" ? call.reply.result : undefined
  const tools = result?.["tools"]
  return {
    call,
    cursor: typeof cursor === "string" || cursor === null ? cursor : undefined,
    raw: Array.isArray(tools) ? tools : undefined,
    reading:
      result &&
      readPage("tools/list", result, {
        page,
        target: "",
        policy: {},
        ...(annotated ? { exclude: annotationFault } : {}),
      }),
  }
}

/** Whether each page was asked for by what the page before it had named, after that had come. */
const isUnbroken = (pages: ReadonlyArray<ToolPage>): boolean =>
  pages.every(({ call, cursor }, place) => {
    // A cursor that is no text is one all the same: what it was answered with need not be the beginning.
    if (place === 0) return (call.params?.["cursor"] ?? undefined) === undefined
    const before = pages[place - 1]
    return (
      before?.reading?.ok === true &&
      before.reading.nextCursor === cursor &&
      (before.call.reply?.index ?? Infinity) < call.index
    )
  })

const walkOf = (pages: ReadonlyArray<ToolPage>): ToolWalk => {
  const tools = new Map<string, Tool>()
  for (const { reading } of pages) {
    if (reading?.ok !== true) continue
    for (const tool of reading.items) if (!tools.has(tool.name)) tools.set(tool.name, tool)
  }
  const last = pages.at(-1)?.reading
  return {
    pages,
    complete: last?.ok === true && last.nextCursor === undefined && isUnbroken(pages),
    raw: pages.reduce((sum, { raw }) => sum + (raw?.length ?? 0), 0),
    tools: [...tools.values()],
  }
}

/**
 * The lists of tools that were read, in order. A request without a cursor begins a list.
 *
 * @param modern whether the annotations `x-mcp-header` count: the client is of 2026-07-28 and speaks HTTP
 */
export const readToolWalks = (
  conversation: Conversation,
  modern: boolean,
): ReadonlyArray<ToolWalk> => {
  const walks: Array<Array<ToolPage>> = []
  for (const call of callsOf(conversation, "tools/list")) {
    const continues = typeof call.params?.["cursor"] === "string"
    const walk = continues ? walks.at(-1) : undefined
    const page = pageOf(call, walk?.length ?? 0, modern && conversation.http === true)
    if (walk === undefined) walks.push([page])
    else walk.push(page)
  }
  return walks.map(walkOf)
}
