import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import {
  InvalidInput,
  explain,
  isJsonObject,
  mirroredHeaders,
  plainText,
  rpcCode,
  type EntenteError,
  type JsonObject,
  type PeerError,
} from "@entente/protocol"
import { call, type CallOutcome, type Cancel } from "../call/call.js"
import type { CallExtras } from "../call/call-options.js"
import { inBackground } from "../call/in-background.js"
import type { Life } from "../life/life.js"
import type { MirroredTools, ToolPages } from "./mirrored-tools.js"

const method = "tools/call"

/** One call of a tool whose arguments may leave as headers. */
interface MirroredCall {
  readonly life: Life
  readonly tools: MirroredTools
  readonly params: JsonObject | undefined
  readonly options: CallExtras
}

/**
 * Calls a tool in the modern era over HTTP: with the headers its newest description asks for, none where
 * none was ever read (V26-XHDR-14). Where the server says that they do not repeat the body, the description
 * is out of date: then the tool is read again and called once more. Nothing was executed, so that this does
 * no harm; a second refusal is the caller's (V26-XHDR-13, C031).
 */
export const callMirrored = (
  mirrored: MirroredCall,
  done: (outcome: CallOutcome) => void,
): Cancel => {
  const { life, tools, params } = mirrored
  const options = withHeaders(mirrored)
  if (options instanceof InvalidInput) {
    done({ ok: false, error: options })
    return () => {}
  }
  let again: Cancel | undefined
  const first = call(life, method, params, options, (outcome) => {
    const { list } = tools
    if (outcome.ok || list === undefined || !isMismatch(outcome.error)) return done(outcome)
    again = inBackground(life, method, callAgain(mirrored, list, outcome.error), done)
  })
  return (reason) => (again ?? first)(reason)
}

const isMismatch = (error: EntenteError): error is PeerError =>
  error._tag === "PeerError" && error.rpcCode === rpcCode.headerMismatch

const nameOf = ({ params }: MirroredCall): string => String(params?.["name"])

/** The options with the headers of the arguments; an argument that no header can repeat is refused. */
const withHeaders = (mirrored: MirroredCall): CallExtras | InvalidInput => {
  const { life, tools, params, options } = mirrored
  const parameters = tools.of(nameOf(mirrored))
  if (parameters.length === 0) return options
  const args = params?.["arguments"]
  const read = mirroredHeaders(parameters, isJsonObject(args) ? args : undefined)
  if (read.ok) return { ...options, mirrored: read.headers }
  const where = plainText(read.pointer)
  const what = `${method}: the argument at ${where} goes into a header as well. ${read.reason}.`
  return new InvalidInput(explain("invalid-input", "input", life.target, what))
}

const callAgain = (
  mirrored: MirroredCall,
  list: ToolPages,
  refusal: PeerError,
): Effect.Effect<JsonObject, EntenteError> =>
  Effect.gen(function* () {
    const { life, params } = mirrored
    if (!(yield* readAgain(mirrored, list))) return yield* refusal
    const options = withHeaders(mirrored)
    if (options instanceof InvalidInput) return yield* options
    life.notes.add({ code: "headers-rebuilt", detail: plainText(nameOf(mirrored)) })
    return yield* Effect.callback<JsonObject, EntenteError>((resume) => {
      const cancel = call(life, method, params, options, (outcome) => {
        mirrored.tools.repaired.add(outcome.ok ? outcome.result : outcome.error)
        resume(outcome.ok ? Effect.succeed(outcome.result) : Effect.fail(outcome.error))
      })
      return Effect.sync(cancel)
    })
  })

/** Reads the list until the tool is met, as a walk of its own; whether it is there, and may be called. */
const readAgain = (mirrored: MirroredCall, list: ToolPages): Effect.Effect<boolean> => {
  const name = nameOf(mirrored)
  const { timeoutMs, headers, thread } = mirrored.options
  const asked = {
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(headers && { headers }),
    ...(thread && { thread }),
  }
  const isCalled = (tool: { readonly name: string | undefined }): boolean => tool.name === name
  return list.pages({ ...asked, refresh: true }).pipe(
    Stream.takeUntil(
      ({ items, quarantined }) => items.some(isCalled) || quarantined.some(isCalled),
    ),
    Stream.runFold(
      () => false,
      (found, { items }) => found || items.some(isCalled),
    ),
    // A list that can't be read says nothing new: the refusal stands.
    Effect.orElseSucceed(() => false),
  )
}
