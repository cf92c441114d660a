import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type { ConnectOptions } from "@entente/client"
import type { JsonObject } from "@entente/protocol"
import {
  legacyServer,
  memoryPeer,
  modernServer,
  refusal,
  tool,
  withRules,
  type Peer,
  type Rule,
  type Script,
} from "@entente/testkit"
import { httpPeer } from "@entente/testkit/node"
import { http, type Transport } from "@entente/transport"
import { bothDoors } from "../conversation/wires.js"

/** What a list answers, one after the other; the last one for ever. */
export const lists = (method: string, ...results: ReadonlyArray<JsonObject>): ReadonlyArray<Rule> =>
  results.map((result, index) => ({
    when: { method, ...(index < results.length - 1 ? { nth: index + 1 } : {}) },
    reply: [{ result: { resultType: "complete", ttlMs: 0, cacheScope: "private", ...result } }],
  }))

/** How each kind of thing is listed, called, and refused. */
export const kinds = {
  tool: {
    list: "tools",
    lists: "tools/list",
    calls: "tools/call",
    item: (name: string) => tool(name),
    params: (name: string) => ({ name }),
    result: { content: [{ type: "text", text: "done" }] },
  },
  prompt: {
    list: "prompts",
    lists: "prompts/list",
    calls: "prompts/get",
    item: (name: string) => ({ name }),
    params: (name: string) => ({ name }),
    result: { messages: [] },
  },
  resource: {
    list: "resources",
    lists: "resources/list",
    calls: "resources/read",
    item: (uri: string) => ({ uri, name: uri }),
    params: (uri: string) => ({ uri }),
    result: { contents: [] },
  },
} as const

type Kind = keyof typeof kinds

/** The list of a kind as a server gives it. */
export const listed = (kind: Kind, ...names: ReadonlyArray<string>): JsonObject => ({
  [kinds[kind].list]: names.map(kinds[kind].item),
})

/** A call of a kind is refused, the first `times` times. */
export const refused = (kind: Kind, code: number, words = "no", times?: number): Rule => ({
  when: { method: kinds[kind].calls },
  ...(times === undefined ? {} : { times }),
  reply: refusal(200, code, words),
})

/** What a call of a kind is answered with. */
export const answered = (kind: Kind, result: JsonObject = kinds[kind].result): Rule => ({
  when: { method: kinds[kind].calls },
  reply: [{ result: { resultType: "complete", ttlMs: 0, cacheScope: "private", ...result } }],
})

export const servers = {
  legacy: (...rules: ReadonlyArray<Rule>): Script =>
    withRules(legacyServer({ tools: [], prompts: [], resources: [] }), ...rules),
  modern: (...rules: ReadonlyArray<Rule>): Script =>
    withRules(modernServer({ tools: [], prompts: [], resources: [] }), ...rules),
} as const

/** A server, and the way to it. */
interface Meeting {
  readonly peer: Peer
  readonly transport: Transport
}

/** In this process, and behind real sockets; each ends with the test. */
const ways: Readonly<
  Record<string, (script: Script) => Effect.Effect<Meeting, never, Scope.Scope>>
> = {
  memory: (script) =>
    Effect.sync(() => {
      const peer = memoryPeer(script)
      return { peer, transport: peer.transport }
    }),
  http: (script) => Effect.map(httpPeer(script), (peer) => ({ peer, transport: http(peer.url) })),
}

/** A server of one era over one way, met by one client through both doors. */
export const meet =
  (era: keyof typeof servers, way: string) =>
  (rules: ReadonlyArray<Rule>, options: ConnectOptions = {}) =>
    Effect.gen(function* () {
      const open = ways[way]
      if (open === undefined) throw new Error(`no way ${way}`)
      const { peer, transport } = yield* open(servers[era](...rules))
      const doors = yield* bothDoors(transport, { listen: false, ...options })
      return { peer, ...doors }
    })

/** Every combination, as the rows of a table of tests. */
export const everywhere = Object.keys(servers).flatMap((era) =>
  Object.keys(ways).map((way) => [era as keyof typeof servers, way] as const),
)
