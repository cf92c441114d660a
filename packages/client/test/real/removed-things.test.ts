import { describe, expect, it } from "vitest"
import { connect, type ConnectOptions, type PromiseClient } from "@entente/client"
import { stdio } from "@entente/transport/stdio"
import { noted, reasonOf } from "../field/connected.js"
import { installed, listening, own } from "@entente/published-servers"

const uri = "file:///notes"

/** A client that has read all lists, of a server that has then forgotten a part of each. */
const forgetful = async (way: "stdio" | "http" | "first", options: ConnectOptions) => {
  const server =
    way === "http" ? await listening(own("forgetful-server.mjs", "http"), /^\d+\n/) : undefined
  const client = await connect(
    server === undefined
      ? stdio(own("forgetful-server.mjs", way))
      : `http://127.0.0.1:${server.output.trim()}/mcp`,
    { listen: false, probeMs: 30_000, ...options },
  )
  await client.snapshot()
  await client.callTool({ name: "forget" })
  const stop = async (): Promise<void> => {
    await client.close()
    await server?.[Symbol.asyncDispose]()
  }
  return { client, [Symbol.asyncDispose]: stop }
}

const calls = {
  tool: ["echo", (client: PromiseClient) => client.callTool({ name: "echo" })],
  prompt: ["greet", (client: PromiseClient) => client.getPrompt({ name: "greet" })],
  resource: [uri, (client: PromiseClient) => client.readResource({ uri })],
} as const

const rows = [
  ["the official SDK 2.4 over stdio, modern", "stdio", "modern"],
  ["the official SDK 2.4 over stdio, legacy", "stdio", "legacy"],
  ["the official SDK 2.4 over HTTP, modern", "http", "modern"],
  ["the official SDK 2.4 over HTTP, legacy", "http", "legacy"],
  ["the official SDK 1 over stdio, legacy", "first", "legacy"],
] as const

describe.each(rows)("a server on %s", (_, way, mode) => {
  it("V26-CACHE-05 V26-TOOL-10 that has forgotten what its lists had: calls say what was removed", async () => {
    await using peer = await forgetful(way, { mode })
    const { client } = peer
    expect(client.era).toBe(mode)
    for (const [kind, [name, call]] of Object.entries(calls)) {
      const error = await reasonOf(call(client))
      expect(error).toMatchObject({ code: "no-longer-offered", kind, name })
      expect(error).toMatchObject(
        way === "first" && kind === "tool"
          ? { result: { isError: true } }
          : { cause: { _tag: "PeerError", rpcCode: -32602 } },
      )
    }
    expect(client.tools.last?.items.map((tool) => tool.name)).toEqual(["forget"])
    expect(noted(client)).not.toContain("list-not-read-again")
  })
})

/** A client of a published server, and how often it has asked for the list of tools. */
const counting = async (command: ReturnType<typeof installed>) => {
  let lists = 0
  const client = await connect(stdio(command), {
    middleware: {
      request: ({ method }, next) => {
        if (method === "tools/list") lists++
        return next()
      },
    },
  })
  const { items } = await client.tools.list()
  const before = lists
  const demanding = items.find(({ inputSchema }) => Array.isArray(inputSchema["required"]))
  return {
    client,
    demanding: demanding?.name ?? "",
    /** Readings of the list after the first. */
    lists: () => lists - before,
    [Symbol.asyncDispose]: () => client.close(),
  }
}

describe("server-everything", () => {
  it("V26-TOOL-10 calls of what it never had are answered as it answers", async () => {
    await using peer = await counting(installed("@modelcontextprotocol/server-everything", "stdio"))
    const result = await peer.client.callTool({ name: "nobody" })
    expect(result).toMatchObject({ isError: true })
    expect(JSON.stringify(result.content)).toContain("Tool nobody not found")
    expect(peer.lists()).toBe(0)
  })
})

describe("effect-mcp", () => {
  it("V25-TOOL-05 V26-ERR-03 wrong arguments are its tools' own failures, and cost no reading", async () => {
    await using peer = await counting(installed("effect-mcp"))
    for (let turn = 0; turn < 3; turn++) {
      const call = { name: peer.demanding, arguments: { no: turn } }
      expect(await peer.client.callTool(call)).toMatchObject({ isError: true })
    }
    expect(await reasonOf(peer.client.callTool({ name: "nobody", arguments: {} }))).toMatchObject({
      _tag: "PeerError",
      rpcMessage: expect.stringContaining("Tool 'nobody' not found"),
    })
    expect(peer.lists()).toBe(0)
  })
})
