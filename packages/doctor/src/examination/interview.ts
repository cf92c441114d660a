import * as Effect from "effect/Effect"
import {
  isLegacyRevision,
  isModernRevision,
  legacyRevisions,
  modernRevisions,
  type Era,
  type JsonObject,
} from "@entente/protocol"
import { isDiscoverResult, makeDresser, parseSessionId, stringsIn } from "@entente/session"
import type { Heard, Visit } from "./visit.js"

/** Who the doctor says it is. */
export const doctorInfo = { name: "entente-doctor", version: "0.1.0" } as const

/** Pages that are asked for at most: enough to see whether a next one comes, and what it brings. */
const mostPages = 3

/** The handshake of the legacy era; it goes on with whatever came back, as no client may (C089). */
export const beginLegacy = (
  visit: Visit,
  protocolVersion: string = legacyRevisions[0] ?? "",
): Effect.Effect<Heard> =>
  Effect.gen(function* () {
    const heard = yield* visit.ask("initialize", {
      protocolVersion,
      capabilities: {},
      clientInfo: doctorInfo,
    })
    if (heard._tag !== "Result") return heard
    const agreed = heard.result["protocolVersion"]
    const id = parseSessionId(heard.headers["mcp-session-id"] ?? "")
    visit.holdsSession = id !== undefined
    visit.dress = makeDresser({
      era: "legacy",
      revision: isLegacyRevision(agreed) ? agreed : undefined,
      versionHeader: false,
      ...(id === undefined ? {} : { session: { id } }),
      http: visit.http,
    })
    yield* visit.tell("notifications/initialized")
    return heard
  })

/** From now on every request says what it is, as the modern era wants it; the server is asked who it is. */
export const beginModern = (visit: Visit): Effect.Effect<Heard> =>
  Effect.gen(function* () {
    const [newest] = modernRevisions
    const dressed = (revision: typeof newest) => {
      if (revision === undefined) return
      visit.dress = makeDresser({
        era: "modern",
        revision,
        clientInfo: doctorInfo,
        clientCapabilities: {},
        http: visit.http,
      })
    }
    dressed(newest)
    const heard = yield* visit.ask("server/discover")
    if (heard._tag === "Result" && isDiscoverResult(heard.result)) {
      dressed(stringsIn(heard.result["supportedVersions"]).find(isModernRevision) ?? newest)
    }
    return heard
  })

export const begin = (visit: Visit, era: Era): Effect.Effect<Heard> =>
  era === "modern" ? beginModern(visit) : beginLegacy(visit)

/** Reads the first pages of the tools, and gives what the first one brought. */
export const readTools = (visit: Visit, params?: JsonObject): Effect.Effect<Heard> =>
  Effect.gen(function* () {
    const first = yield* visit.ask("tools/list", params)
    let heard = first
    for (let page = 1; page < mostPages; page++) {
      const cursor = heard._tag === "Result" ? heard.result["nextCursor"] : undefined
      if (typeof cursor !== "string") break
      heard = yield* visit.ask("tools/list", { ...params, cursor })
    }
    return first
  })
