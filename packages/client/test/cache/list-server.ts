import * as Effect from "effect/Effect"
import { Client, memoryVerdicts, type ConnectOptions } from "@entente/client"
import type { JsonObject } from "@entente/protocol"
import {
  memoryPeer,
  modernServer,
  tool,
  withRules,
  type MemoryPeer,
  type Rule,
} from "@entente/testkit"
import { offersAll } from "../subscription/modern-peers.js"
import { fresh } from "./kept.js"

/** What a server answers to one cursor, from now on. */
export const page = (cursor: string | undefined, name: string, rest: JsonObject = {}): Rule => ({
  when: { method: "tools/list", params: { cursor: cursor ?? { $present: false } } },
  reply: [{ result: { ...fresh, tools: [tool(name)], ...rest } }],
})

export const server = (...rules: ReadonlyArray<Rule>) =>
  memoryPeer(withRules(modernServer({ tools: [], capabilities: offersAll }), ...rules))

export const connect = (peer: MemoryPeer, options: ConnectOptions = {}) =>
  Client.connect(peer.transport, { verdicts: memoryVerdicts(), ...options })

export const names = (client: Client.Client, options = {}) =>
  Effect.map(client.tools.list(options), ({ items }) => items.map(({ name }) => name))

/** The cursors that the server was asked for, in order; null for page one. */
export const cursors = (peer: MemoryPeer) =>
  peer.requests("tools/list").map(({ message }) => message.params?.["cursor"] ?? null)
