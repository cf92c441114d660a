import * as Effect from "effect/Effect"
import { isJsonObject, rpcCode, type JsonObject, type JsonRpcMessage } from "@entente/protocol"
import type { Dresser } from "@entente/session"
import type { Act } from "../case.js"
import type { Call } from "../conversation/frame.js"
import type { Experiment } from "./experiment.js"
import { begin, beginLegacy } from "./interview.js"
import type { Visit } from "./visit.js"

/** Errors that say, or may hide, that the server dislikes what was sent. */
const dislikes: ReadonlySet<number> = new Set([
  rpcCode.invalidParams,
  rpcCode.invalidRequest,
  rpcCode.internalError,
  rpcCode.parseError,
])

const statuses: ReadonlySet<number> = new Set([400, 422, 500])

/** Whether the first page was refused in a way that another form of the request may change. */
const refused = ({ walk, era }: Act): Call | undefined => {
  const call = walk?.pages[0]?.call
  const reply = call?.reply
  if (era === undefined || reply === undefined) return undefined
  const matters =
    reply.kind === "error"
      ? dislikes.has(reply.error.code)
      : reply.kind === "status" && statuses.has(reply.status)
  return matters ? call : undefined
}

/** The same dress, without what it puts into the message: no client of 2026-07-28 may leave that out. */
const withoutMeta =
  (dress: Dresser): Dresser =>
  (message, wishes) => {
    const dressed = dress(message, wishes)
    const { params, ...bare } = { params: undefined, ...dressed.message }
    if (!isJsonObject(params)) return dressed
    const { _meta, ...rest } = params
    const kept = Object.keys(rest).length === 0 ? {} : { params: rest }
    return { ...dressed, message: { ...bare, ...kept } as JsonRpcMessage } // the same, one member less
  }

interface Form {
  readonly params?: JsonObject
  readonly bare?: true
}

/**
 * What is sent, one after the other, until one is answered. The first is what the client has sent: if that
 * works now, the form was not to blame. Each other one differs in as little as can be.
 */
const forms: Readonly<Record<"legacy" | "modern", ReadonlyArray<Form>>> = {
  legacy: [
    {},
    { params: {} },
    { params: { _meta: {} } },
    { params: { cursor: "" } },
    { params: { cursor: null } },
  ],
  modern: [{}, { bare: true }, { params: { cursor: "" } }, { params: { cursor: null } }],
}

const tried = (visit: Visit, { params, bare }: Form): Effect.Effect<boolean> =>
  Effect.gen(function* () {
    const { dress } = visit
    if (bare) visit.dress = withoutMeta(dress)
    const heard = yield* visit.ask("tools/list", params)
    visit.dress = dress
    return heard._tag === "Result" && Array.isArray(heard.result["tools"])
  })

/** `tools/list` once more in different forms, after it was refused: which member of it is to blame? */
export const otherParams: Experiment = {
  name: "other-params",
  doing: "asking for tools with other parameters",
  isUseful: ({ given: { main } }) => refused(main) !== undefined,
  run: ({ given: { main }, visit }) =>
    Effect.gen(function* () {
      const here = yield* visit()
      const era = main.era ?? "legacy"
      const heard =
        era === "modern" ? yield* begin(here, era) : yield* beginLegacy(here, main.revision)
      if (heard._tag !== "Result") return
      for (const form of forms[era]) if (yield* tried(here, form)) return
    }),
}
