import { createServer } from "node:http"
import { describe, expect, it } from "vitest"
import { legacyServer, memoryPeer, modernServer, withRules, type Rule } from "@entente/testkit"
import { connected } from "../field/connected.js"

const eras = {
  legacy: { server: legacyServer, complete: {}, cached: {} },
  modern: {
    server: modernServer,
    complete: { resultType: "complete" },
    cached: { resultType: "complete", ttlMs: 0, cacheScope: "private" },
  },
} as const

const rows = Object.entries(eras)

const answer = (method: string, result: object): Rule => ({ when: { method }, reply: [{ result }] })

describe.each(rows)("what a %s server gives", (_, { server, complete, cached }) => {
  it("V26-RES-03 V25-RES-01 V26-RES-08 V26-RES-05 several contents of one resource, whatever their size and URI", async () => {
    const contents = [
      { uri: "file:///dir/", mimeType: "inode/directory", text: "" },
      { uri: "file:///dir/a", mimeType: "text/plain", text: "a" },
      { uri: "file:///dir/b", blob: "AAEC", size: 1 },
      { uri: "git://x/y", blob: "" },
    ]
    const resources = [
      { uri: "file:///dir/", name: "dir", size: 4_096, mimeType: "inode/directory" },
      { uri: "file:///dir/b", name: "b", size: 3 },
    ]
    const result = { ...cached, contents }
    const peer = memoryPeer(withRules(server({ resources }), answer("resources/read", result)))
    await using client = await connected(peer.transport)
    expect((await client.resources.list()).items).toEqual(resources)
    expect(await client.readResource({ uri: "file:///dir/" })).toEqual(result)
    expect(peer.requests("resources/read")).toMatchObject([
      { message: { params: { uri: "file:///dir/" } } },
    ])
    expect(client.notes).toEqual([])
  })

  it("V25-RES-06 V26-RES-04 V26-RES-05 never makes this side fetch a web page or open a file", async () => {
    let fetched = 0
    const canary = createServer((_, response) => {
      fetched++
      response.end("caught")
    })
    await new Promise<void>((resolve) => canary.listen(0, "127.0.0.1", resolve))
    const address = canary.address()
    const port = typeof address === "object" && address !== null ? address.port : 0
    const uris = [`http://127.0.0.1:${port}/doc`, `https://127.0.0.1:${port}/doc`, import.meta.url]
    const resources = uris.map((uri) => ({ uri, name: uri }))
    const read = answer("resources/read", {
      ...cached,
      contents: [{ uri: { $from: "/params/uri" }, text: "from the server" }],
    })
    const peer = memoryPeer(withRules(server({ resources }), read))
    await using client = await connected(peer.transport)
    await client.resources.list()
    for (const uri of uris) {
      const { contents } = await client.readResource({ uri })
      expect(contents).toEqual([{ uri, text: "from the server" }])
    }
    expect(peer.requests("resources/read")).toHaveLength(uris.length)
    expect(fetched).toBe(0)
    await new Promise((resolve) => canary.close(resolve))
  })

  it("V26-PROM-04 V25-PROMPT-01 messages of a prompt with each of the five kinds of content", async () => {
    const messages = [
      { role: "user", content: { type: "text", text: "a" } },
      { role: "assistant", content: { type: "image", data: "AA==", mimeType: "image/png" } },
      { role: "user", content: { type: "audio", data: "AA==", mimeType: "audio/wav" } },
      { role: "user", content: { type: "resource_link", uri: "x://y", name: "y" } },
      { role: "assistant", content: { type: "resource", resource: { uri: "x://y", text: "z" } } },
    ]
    const result = { ...complete, description: "all of them", messages }
    const offered = server({ prompts: [{ name: "p" }] })
    const peer = memoryPeer(withRules(offered, answer("prompts/get", result)))
    await using client = await connected(peer.transport)
    expect(await client.getPrompt({ name: "p", arguments: { x: "1" } })).toEqual(result)
    const [asked] = peer.requests("prompts/get")
    expect(asked?.message.params).toMatchObject({ name: "p", arguments: { x: "1" } })
  })
})
