import { expect } from "vitest"
import * as Effect from "effect/Effect"
import { Client, memoryVerdicts, type ConnectOptions } from "@entente/client"
import { metaKey, type JsonObject } from "@entente/protocol"
import {
  memoryPeer,
  modernServer,
  notification,
  tool,
  type ModernServerOptions,
  type Peer,
  type Rule,
  type Script,
  type Step,
} from "@entente/testkit"
import { httpPeer } from "@entente/testkit/node"
import { http } from "@entente/transport"
import { until } from "../field/scripted-http.js"

const sid = metaKey.subscriptionId

/** Everything that a modern server can tell of by itself. */
export const offersAll = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { listChanged: true, subscribe: true },
  extensions: { "io.modelcontextprotocol/tasks": {} },
}

export const server = (options: ModernServerOptions = {}): Script =>
  modernServer({
    tools: [tool("a")],
    prompts: [],
    resources: [],
    resourceTemplates: [],
    capabilities: offersAll,
    ...options,
  })

/** A server that answers `subscriptions/listen` so. */
export const listen = (reply: ReadonlyArray<Step>, rest: Partial<Rule> = {}): Rule => ({
  when: { method: "subscriptions/listen" },
  reply,
  ...rest,
})

/** A message of the server on the subscription that is answered; `id` is another name for that. */
export const onListen = (method: string, params: JsonObject = {}, id: unknown = { $from: "/id" }) =>
  notification(method, { ...params, _meta: { [sid]: id } })

export const acknowledge = (filter: unknown = { $from: "/params/notifications" }, id?: unknown) =>
  onListen("notifications/subscriptions/acknowledged", { notifications: filter }, id)

export const changed = (kind: "tools" | "prompts" | "resources", id?: unknown) =>
  onListen(`notifications/${kind}/list_changed`, {}, id)

/** The subscription that is open, for what is played on it later. */
export const subscription = { method: "subscriptions/listen" }

/** The ways to a modern server: by HTTP a stream of its own, else one channel for everything. */
export const ways = {
  http: (script: Script, options: ConnectOptions = {}) =>
    Effect.gen(function* () {
      const peer: Peer = yield* httpPeer(script)
      const { url } = peer as Peer & { readonly url: string } // what httpPeer gives has one
      return { peer, client: yield* connect(http(url), options) }
    }),
  memory: (script: Script, options: ConnectOptions = {}) =>
    Effect.gen(function* () {
      const memory = memoryPeer(script)
      const peer: Peer = memory
      return { peer, client: yield* connect(memory.transport, options) }
    }),
}

export type Way = keyof typeof ways

export const everyWay: ReadonlyArray<Way> = ["http", "memory"]

/** Whatever happens to listening, calls go on. */
export const works = (client: Client.Client) =>
  Effect.gen(function* () {
    expect(client.state).toBe("ready")
    expect(yield* client.callTool({ name: "a" })).toMatchObject({ content: [{}] })
  })

export const isOpen = (client: Client.Client) => until(() => client.listening === "open")

/** What the client hears from now on. */
export const hearing = (client: Client.Client) => {
  const heard: Array<string> = []
  client.connection.life.notified.add(({ method }) => heard.push(method))
  return heard
}

/** The requests that the client has cancelled by a notification. */
export const cancelled = (peer: Peer): ReadonlyArray<unknown> =>
  peer.received.flatMap(({ message }) => {
    const said = message as { method?: string; params?: { requestId?: unknown } } | undefined
    return said?.method === "notifications/cancelled" ? [said.params?.requestId] : []
  })

const connect = (transport: Parameters<typeof Client.connect>[0], options: ConnectOptions) =>
  Client.connect(transport, { verdicts: memoryVerdicts(), mode: "modern", ...options })

/** The filters that were asked for, in order. */
export const asked = (peer: Peer): ReadonlyArray<unknown> =>
  peer.requests("subscriptions/listen").map(({ message }) => message.params?.["notifications"])

export const listenIds = (peer: Peer): ReadonlyArray<unknown> =>
  peer.requests("subscriptions/listen").map(({ message }) => message.id)

export const noted = (client: Client.Client): ReadonlyArray<string> =>
  client.notes.map(({ code }) => code)

/** The details of one kind of note, as far as they are kept: the latest. */
export const detailOf = (client: Client.Client, code: string): string | undefined =>
  client.notes.find((note) => note.code === code)?.detail
