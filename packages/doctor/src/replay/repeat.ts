import * as Effect from "effect/Effect"
import type { Client } from "@entente/client"
import type { EntenteError, JsonObject, LoggingLevel } from "@entente/protocol"
import { ownMeta } from "./recorded-message.js"
import type { Send } from "./recorded-run.js"

type Doing = Effect.Effect<unknown, EntenteError>

type Perform = (client: Client.Client, params: JsonObject) => Doing

const readAgain = { refresh: true } as const

/** Lists are walked and not asked for, because their charts follow walks. Other pages come by themselves. */
const walks: ReadonlyMap<string, (client: Client.Client) => Doing> = new Map<
  string,
  (client: Client.Client) => Doing
>([
  ["tools/list", ({ tools }) => tools.list(readAgain)],
  ["prompts/list", ({ prompts }) => prompts.list(readAgain)],
  ["resources/list", ({ resources }) => resources.list(readAgain)],
  ["resources/templates/list", ({ resources }) => resources.templates.list(readAgain)],
])

/** What has a way of its own in the client, because more than a request belongs to it. */
const ways: ReadonlyMap<string, Perform> = new Map<string, Perform>([
  ["ping", (client) => client.ping()],
  ["server/discover", (client) => client.ping()],
  [
    "logging/setLevel",
    // The client checks the word.
    (client, { level }) => client.setLogLevel(level as LoggingLevel),
  ],
  ["notifications/roots/list_changed", ({ roots }) => roots.changed],
])

/** What the connection does by itself: it is waited for and never done in its place. */
const ownAffairs: ReadonlySet<string | undefined> = new Set([
  "initialize",
  "notifications/initialized",
  "notifications/cancelled",
  "subscriptions/listen",
  undefined,
])

/**
 * What makes a client send a recorded message, as one that was sent by the recorded client's owner; undefined for
 * what a connection sends by itself, answers of its own included.
 */
export const repeat = (send: Send): ((client: Client.Client) => Doing) | undefined => {
  const { method, params = {}, id } = send
  if (method === undefined || ownAffairs.has(method)) return undefined
  const walk = walks.get(method)
  if (walk !== undefined && !Object.hasOwn(params, "cursor")) return walk
  const way = ways.get(method)
  if (way !== undefined) return (client) => way(client, params)
  if (id === undefined) return undefined
  const { _meta, ...own } = params
  const meta = ownMeta(params)
  // Questions are not answered here: the recording has what came of them, as a request of its own.
  const options = { input: "manual" as const, ...(meta === undefined ? {} : { meta }) }
  return (client) => client.request(method, own, options)
}
