// Who reads the list, and how: each gives the items one by one, or all of them at the end.
import { connect, Client as EffectClient } from "@entente/client"
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { transportTo } from "../contestants/entente-transport.mjs"

const officialTo = (target) =>
  target.transport === "stdio"
    ? new StdioClientTransport({ command: target.command, args: target.args })
    : new StreamableHTTPClientTransport(new URL(target.url))

/** A slow machine is not what is measured: as the official client's, the limit of this one is lifted. */
const options = { lists: { deadlineMs: Infinity } }

export const readers = {
  "entente, all()": {
    eras: ["legacy", "modern"],
    streams: true,
    read: async (target, take) => {
      const client = await connect(transportTo(target), options)
      for await (const tool of client.tools.all()) await take(tool)
      await client.close()
    },
  },
  "entente, stream()": {
    eras: ["legacy", "modern"],
    streams: true,
    read: (target, take) =>
      Effect.gen(function* () {
        const client = yield* EffectClient.connect(transportTo(target), options)
        // A promise for each item would be a fiber's turn for each item: only a pause is waited for.
        yield* Stream.runForEach(client.tools.stream(), (tool) => {
          const pause = take(tool)
          return pause === undefined ? Effect.void : Effect.promise(() => pause)
        })
      }).pipe(Effect.scoped, Effect.runPromise),
  },
  "entente, all({ retain: true })": {
    eras: ["legacy"],
    streams: false,
    read: async (target, take) => {
      const client = await connect(transportTo(target), options)
      for await (const tool of client.tools.all({ retain: true })) await take(tool)
      await client.close()
    },
  },
  "entente, list()": {
    eras: ["legacy", "modern"],
    streams: false,
    read: async (target, take) => {
      const client = await connect(transportTo(target), options)
      const { items } = await client.tools.list()
      for (const tool of items) await take(tool)
      await client.close()
    },
  },
  // Its own limit is 64 pages; 0 lifts it. It knows no stream: what it gives is the whole list.
  "official, listTools()": {
    eras: ["legacy"],
    streams: false,
    read: async (target, take) => {
      const client = new Client({ name: "official", version: "1.0.0" }, { listMaxPages: 0 })
      await client.connect(officialTo(target))
      const { tools } = await client.listTools()
      for (const tool of tools) await take(tool)
      await client.close()
    },
  },
}
