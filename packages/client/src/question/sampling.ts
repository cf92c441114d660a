import * as Effect from "effect/Effect"
import {
  CreateMessageParams,
  CreateMessageResult,
  isJsonObject,
  validate,
  type JsonObject,
  type QuestionRefused,
  type Revision,
  type SamplingContent,
} from "@entente/protocol"
import { askHandler } from "./ask-handler.js"
import type { Asking } from "./asking.js"
import type { SamplingHandler } from "./handlers.js"
import { readParams } from "./read-question.js"
import { mismatched, refusal } from "./refusal.js"
import { checkHistory } from "./sampling-history.js"

type Blocks = ReadonlyArray<SamplingContent>

const blocksOf = (content: CreateMessageResult["content"]): Blocks =>
  Array.isArray(content) ? content : [content as SamplingContent] // one block or a list of them

/** Since when a model may be given tools, and answer with several blocks. */
const toolsSince: Revision = "2025-11-25"

/** When each kind of block came into the protocol; the others were always there. */
const since: { readonly [type: string]: Revision | undefined } = {
  audio: "2025-03-26",
  tool_use: toolsSince,
  tool_result: toolsSince,
}

const isLater = (type: string, revision: Revision): boolean => (since[type] ?? revision) > revision

const declares = ({ declared: { sampling } }: Asking, name: "tools" | "context"): boolean =>
  isJsonObject(sampling) && isJsonObject(sampling[name])

/** What was not declared is refused before anybody is bothered with it (V25-CAP-05, V25-SAMP-10). */
const checkTools = (asking: Asking, params: CreateMessageParams): QuestionRefused | undefined => {
  const wanted = (["tools", "toolChoice"] as const).find((name) => params[name] !== undefined)
  const allowed = declares(asking, "tools") && asking.revision >= toolsSince
  return wanted === undefined || allowed
    ? undefined
    : refusal("undeclared", asking, `${wanted} in sampling`)
}

/** Context of other conversations never leaks to a server that was not promised any (V25-SAMP-05). */
const withoutContext = (asking: Asking, params: CreateMessageParams): CreateMessageParams => {
  const { includeContext = "none" } = params
  if (includeContext === "none" || declares(asking, "context")) return params
  asking.note({ code: "context-not-shared", detail: includeContext })
  return { ...params, includeContext: "none" }
}

/** The answer as the revision has it: before 2025-11-25 one block, never a list (V25-SAMP-02). */
const fitAnswer = (
  asking: Asking,
  given: unknown,
): Effect.Effect<CreateMessageResult & JsonObject, QuestionRefused> => {
  const read = validate(CreateMessageResult, given)
  if (!read.ok) return Effect.fail(mismatched("invalid-answer", asking, read))
  const { revision } = asking
  const blocks = blocksOf(read.value.content)
  const later = blocks.find(({ type }) => isLater(type, revision))
  const wrong = (reason: string) =>
    Effect.fail(mismatched("invalid-answer", asking, { pointer: "/content", reason }))
  if (later !== undefined) return wrong(`no ${later.type} exists in ${revision}`)
  if (revision >= toolsSince || !Array.isArray(read.value.content)) {
    return Effect.succeed(read.value)
  }
  const [only, ...more] = blocks
  if (only === undefined || more.length > 0) return wrong(`one block is allowed in ${revision}`)
  return Effect.succeed({ ...read.value, content: only })
}

/** Answers `sampling/createMessage`. */
export const answerSampling = (
  asking: Asking,
  handler: SamplingHandler,
): Effect.Effect<CreateMessageResult, QuestionRefused> =>
  Effect.gen(function* () {
    const params = yield* readParams(asking, CreateMessageParams)
    const undeclared = checkTools(asking, params)
    if (undeclared !== undefined) return yield* undeclared
    const fault = checkHistory(params.messages)
    if (fault !== undefined) return yield* mismatched("invalid-question", asking, fault)
    const shown = withoutContext(asking, params)
    const given = yield* askHandler(asking, asking.signal, (signal) =>
      handler(shown, asking.context(signal)),
    )
    return yield* fitAnswer(asking, given)
  })
