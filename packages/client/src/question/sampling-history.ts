import type { Mismatch, SamplingContent, SamplingMessage } from "@entente/protocol"

const blocksOf = ({ content }: SamplingMessage): ReadonlyArray<SamplingContent> =>
  Array.isArray(content) ? content : [content as SamplingContent] // one block or a list of them

const idsOf = (message: SamplingMessage): ReadonlyArray<string> =>
  blocksOf(message).flatMap((block) => (block.type === "tool_use" ? [block.id] : []))

/** Whether ids are the same ones, whatever their order, each once. */
const sameIds = (one: ReadonlyArray<string>, other: ReadonlyArray<string>): boolean =>
  one.length === other.length &&
  new Set(one).size === one.length &&
  one.every((id) => other.includes(id))

const faultOf = (
  message: SamplingMessage,
  before: SamplingMessage | undefined,
): string | undefined => {
  const blocks = blocksOf(message)
  const results = blocks.flatMap((block) => (block.type === "tool_result" ? [block] : []))
  const open = before === undefined ? [] : idsOf(before)
  if (results.length > 0 && (message.role !== "user" || results.length < blocks.length)) {
    return "expected tool results alone, in a message of the user"
  }
  const answered = results.map(({ toolUseId }) => toolUseId)
  if (!sameIds(open, answered)) return "expected one result for each tool that was just used"
  const uses = blocks.some(({ type }) => type === "tool_use")
  return uses && message.role !== "assistant"
    ? "expected tools to be used by the assistant"
    : undefined
}

/**
 * Whether a history can be shown to a model: what it used of tools is answered by the next message, by
 * that alone, and completely (V25-SAMP-07, V26-SAMP-07).
 */
export const checkHistory = (messages: ReadonlyArray<SamplingMessage>): Mismatch | undefined => {
  const at = (index: number, reason: string): Mismatch => ({
    ok: false,
    pointer: `/messages/${index}/content`,
    reason,
  })
  for (const [index, message] of messages.entries()) {
    const fault = faultOf(message, messages[index - 1])
    if (fault !== undefined) return at(index, fault)
  }
  const last = messages.at(-1)
  return last !== undefined && idsOf(last).length > 0
    ? at(messages.length - 1, "expected the results of the tools that are used here")
    : undefined
}
