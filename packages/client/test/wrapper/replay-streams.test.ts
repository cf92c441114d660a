import { describe, expect, it } from "vitest"
import type { PromiseClient } from "@entente/client"
import { legacyServer, notification, tool, withRules } from "@entente/testkit"
import { startHttpPeer } from "@entente/testkit/node"
import { http, replay } from "@entente/transport"
import { startOldServer } from "../field/old-server.js"
import { recorded, within } from "./recorded.js"

const offers = { tools: [tool("a")], capabilities: { tools: { listChanged: true } } }
const codes = (client: PromiseClient) => client.notes.map(({ code }) => code)

describe("recordings of streams beside the messages", () => {
  it("V25-HTTP-11 what the server said by itself on its own stream is said again", async () => {
    const script = legacyServer({ ...offers, sessionIds: ["secret-session-01"], listens: true })
    await using peer = await startHttpPeer(script)
    const use = (announce: () => void) => async (client: PromiseClient) => {
      const heard = new Promise<string>((resolve) => {
        client.onNotification(({ method }) => resolve(method))
      })
      const { status, items } = await client.tools.list()
      announce()
      return { status, items, heard: await heard, transport: client.transport }
    }
    const announce = async () => {
      while (peer.exchanges("GET").length === 0) await new Promise((resume) => setImmediate(resume))
      peer.send(notification("notifications/tools/list_changed"), { httpMethod: "GET" })
    }
    const { outcome, text } = await recorded(
      http(peer.url),
      use(() => void announce()),
    )
    await peer.close()
    expect(outcome.heard).toBe("notifications/tools/list_changed")
    expect(text).not.toContain("secret-session")
    expect(
      await within(
        replay(text),
        use(() => {}),
      ),
    ).toEqual(outcome)
  })

  it("V25-HTTP-18 an answer that was brought home by resumption is brought home again", async () => {
    const result = { content: [{ type: "text", text: "at last" }] }
    await using peer = await startHttpPeer(
      withRules(legacyServer(offers), {
        when: { method: "tools/call" },
        reply: [{ event: { id: "e1", retry: 5, data: "" } }],
      }),
    )
    const use = async (client: PromiseClient) => ({
      result: await client.callTool({ name: "a" }),
      notes: codes(client),
    })
    const answering = async () => {
      while (peer.requests("tools/call").length === 0) {
        await new Promise((resume) => setImmediate(resume))
      }
      const id = peer.requests("tools/call")[0]?.message.id
      peer.add({
        when: { httpMethod: "GET", headers: { "last-event-id": "e1" } },
        reply: [{ event: { id: "e2", message: { jsonrpc: "2.0", id, result } } }],
      })
    }
    const [{ outcome, text }] = await Promise.all([
      recorded(http(peer.url), use, { listen: false }),
      answering(),
    ])
    expect(outcome.result).toEqual(result)
    expect(await within(replay(text), use, { listen: false })).toEqual(outcome)
  })

  it("V25-DET-03 a server of 2024-11-05 is found again, and spoken to by its own transport", async () => {
    const use = async (client: PromiseClient) => ({
      transport: client.transport,
      items: (await client.tools.list()).items,
      result: await client.callTool({ name: "a" }),
      notes: codes(client),
    })
    const server = await startOldServer()
    const { outcome, text } = await recorded(http(server.url), use)
    await server[Symbol.asyncDispose]()
    expect(outcome.transport).toBe("http+sse")
    expect(await within(replay(text), use)).toEqual(outcome)
  })
})
