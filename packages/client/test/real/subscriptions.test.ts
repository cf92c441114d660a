import { describe, expect, it } from "vitest"
import { connect, type PromiseClient, type ResourceUpdated } from "@entente/client"
import { stdio } from "@entente/transport/stdio"
import { freePort, installed, listening, own } from "@entente/published-servers"

const uri = "file:///notes"

const opened = (client: PromiseClient): Promise<void> =>
  new Promise((resolve) => {
    if (client.listening === "open") return resolve()
    const stop = client.onListening((state) => {
      if (state !== "open") return
      stop()
      resolve()
    })
  })

/** A client of the changing server, and what ends both. */
const changing = async (way: "stdio" | "http") => {
  if (way === "stdio") {
    const client = await connect(stdio(own("changing-server.mjs", "stdio")))
    return { client, [Symbol.asyncDispose]: () => client.close() }
  }
  const server = await listening(own("changing-server.mjs", "http"), /^\d+\n/)
  const client = await connect(`http://127.0.0.1:${server.output.trim()}/mcp`)
  const stop = async (): Promise<void> => {
    await client.close()
    await server[Symbol.asyncDispose]()
  }
  return { client, [Symbol.asyncDispose]: stop }
}

describe.each(["stdio", "http"] as const)(
  "a modern server on the official SDK 2.4 over %s",
  (way) => {
    it("V25-LIST-01 V26-SUB-01 who waits for changes sees a new tool without asking for it", async () => {
      await using peer = await changing(way)
      const { client } = peer
      const changes = client.changes()[Symbol.asyncIterator]()
      const first = changes.next()
      await opened(client)
      await client.tools.list()
      await client.callTool({ name: "change" })
      const { value } = await first
      expect(value).toMatchObject({
        list: "tools",
        version: 2,
        added: [{ name: "added-1" }],
        removed: [],
        changed: [],
      })
      expect(client.tools.last).toMatchObject({ version: 2, stale: false })
      await changes.return?.()
    })

    it("V26-SUB-01 V26-SUB-03 V26-SUB-05 agrees to what it offers, and tells of it", async () => {
      await using peer = await changing(way)
      const { client } = peer
      expect(client.era).toBe("modern")
      await opened(client)
      expect(client.subscriptions).toEqual({
        asked: { toolsListChanged: true, resourcesListChanged: true },
        filter: { toolsListChanged: true, resourcesListChanged: true },
        withheld: {},
      })
      const before = await client.tools.list()
      expect(before.items.map(({ name }) => name)).toEqual(["change"])
      const told = new Promise<boolean | undefined>((resolve) => {
        client.on("notifications/tools/list_changed", () => resolve(client.tools.last?.stale))
      })
      await client.callTool({ name: "change" })
      expect(await told).toBe(true)
      const { items } = await client.tools.list()
      expect(items.map(({ name }) => name)).toEqual(["change", "added-1"])
      expect(client.notes).toEqual([])
    })

    it("V26-SUB-07 V26-SUB-14 tells of a resource that is subscribed to, and not of one that is not", async () => {
      await using peer = await changing(way)
      const { client } = peer
      const told: Array<ResourceUpdated> = []
      const first = new Promise<void>((resolve) => {
        void client.resources
          .subscribe(uri, (update) => {
            told.push(update)
            resolve()
          })
          .then(() => client.callTool({ name: "change" }))
      })
      await first
      expect(told).toEqual([{ uri, missed: false }])
      expect(client.subscriptions.filter).toMatchObject({ resourceSubscriptions: [uri] })
      const other = await client.resources.subscribe("file:///other", (update) => told.push(update))
      await client.callTool({ name: "change" })
      other()
      expect(told.every((update) => update.uri === uri)).toBe(true)
      expect(client.notes).toEqual([])
    })
  },
)

describe.each(["stdio", "http"] as const)("server-everything over %s", (way) => {
  it("V25-RES-03 V25-RES-04 tells of a resource that is subscribed to, until it is not any more", async () => {
    const port = String(await freePort())
    const everything = "@modelcontextprotocol/server-everything"
    await using _server = await listening(installed(everything, "streamableHttp"), /listening/i, {
      PORT: port,
    })
    await using client = await connect(
      way === "stdio" ? stdio(installed(everything, "stdio")) : `http://127.0.0.1:${port}/mcp`,
      { mode: "legacy" },
    )
    await opened(client)
    const resource = "demo://resource/dynamic/text/1"
    const logged: Array<string> = []
    client.on("notifications/message", ({ data }) => logged.push(String(data)))
    let heard = (_update: ResourceUpdated): void => {}
    const update = new Promise<ResourceUpdated>((resolve) => {
      heard = resolve
    })
    const unsubscribe = await client.resources.subscribe(resource, (one) => heard(one))
    await client.callTool({ name: "toggle-subscriber-updates" })
    expect(await update).toEqual({ uri: resource, missed: false })
    const told = new Promise<void>((resolve) => {
      client.on("notifications/message", ({ data }) => {
        if (String(data).includes("Unsubscribe")) resolve()
      })
    })
    unsubscribe()
    await told
    expect(logged.filter((line) => line.includes(resource))).toHaveLength(2)
  })
})
