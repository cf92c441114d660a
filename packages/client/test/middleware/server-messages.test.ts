import { describe, expect, it } from "vitest"
import * as Effect from "effect/Effect"
import { type Middleware } from "@entente/client"
import {
  legacyServer,
  memoryPeer,
  modernServer,
  notification,
  request,
  tool,
  type MemoryPeer,
} from "@entente/testkit"
import { connected, noted } from "../field/connected.js"

const echo = { tools: [tool("echo")] }
const changing = { ...echo, capabilities: { tools: { listChanged: true } } }

/** Says that the tools have changed, where the era wants it said. */
const sayChanged = async (peer: MemoryPeer, era: "legacy" | "modern"): Promise<void> => {
  const method = "notifications/tools/list_changed"
  if (era === "legacy") return peer.send(notification(method))
  const { message } = await peer.until(
    ({ message: said }) =>
      (said as { method?: string } | undefined)?.method === "subscriptions/listen",
  )
  const { id } = message as { readonly id: number }
  const _meta = { "io.modelcontextprotocol/subscriptionId": id }
  peer.send(notification(method, { _meta }))
}
const ownMethod = "notifications/com.example/said"
const said = (level: string) => notification(ownMethod, { level, data: "x", logger: "server" })

/** Until everything that was said before has been heard. */
const settled = (client: { request: (method: string) => Promise<unknown> }) =>
  client.request("tools/list")

/** What the peer got in answer to its request. */
const answerTo = async (peer: MemoryPeer, id: number): Promise<unknown> => {
  const { message } = await peer.until(
    ({ kind, message }) => kind === "response" && (message as { id?: unknown }).id === id,
  )
  return message
}

describe.for([
  ["legacy", legacyServer(changing)],
  ["modern", modernServer(changing)],
] as const)("middleware for notifications of a %s server", ([era, script]) => {
  it("drops, replaces and lets pass, the layer next to the wire first", async () => {
    const seen: Array<string> = []
    const raises: Middleware = {
      notification: (one) => {
        seen.push(`inner ${one.method}`)
        if (one.method === "notifications/tools/list_changed") return undefined
        return { ...one, params: { ...one.params, level: "error" } }
      },
    }
    const follows: Middleware = {
      notification: (one) => {
        seen.push(`outer ${one.method}`)
        return one
      },
    }
    const peer = memoryPeer(script)
    const heard: Array<unknown> = []
    await using client = await connected(peer.transport, {
      middleware: [follows, raises],
      onNotification: (one) => heard.push(one),
    })
    await client.tools.list()
    await sayChanged(peer, era)
    peer.send(said("info"))
    await settled(client)
    expect(heard.filter((one) => (one as { method: string }).method === ownMethod)).toEqual([
      said("error"),
    ])
    expect(seen.filter((one) => !one.includes("acknowledged"))).toEqual([
      "inner notifications/tools/list_changed",
      `inner ${ownMethod}`,
      `outer ${ownMethod}`,
    ])
    // Nobody heard of the change, so nobody knows of it.
    expect(client.tools.last?.stale).toBe(false)
  })

  it("keeps out what it fails on, with a note, and the connection goes on", async () => {
    const failing: ReadonlyArray<Middleware["notification"] & {}> = [
      () => {
        throw new Error("secret-token")
      },
      // A program without types may be async.
      (async () => said("info")) as never,
    ]
    for (const filter of failing) {
      const peer = memoryPeer(script)
      await using client = await connected(peer.transport, { middleware: { notification: filter } })
      await client.tools.list()
      await sayChanged(peer, era)
      await settled(client)
      expect(client.tools.last?.stale).toBe(false)
      expect(noted(client)).toContain("middleware-failed")
      expect(JSON.stringify(client.notes)).not.toContain("secret-token")
    }
  })
})

describe("middleware for questions", () => {
  it("V25-PING-01 sees what a legacy server asks, answers it, or lets it pass", async () => {
    const seen: Array<string> = []
    const layers: ReadonlyArray<Middleware> = [
      {
        question: async ({ method }, next) => {
          seen.push(`outer ${method}`)
          return method === "com.example/ask" ? { result: { by: "outer" } } : await next()
        },
      },
      {
        question: (asked, next) => {
          seen.push(`inner ${asked.method}`)
          return next.effect({ ...asked, id: 999 })
        },
      },
    ]
    const peer = memoryPeer(legacyServer(echo))
    await using client = await connected(peer.transport, { middleware: layers })
    peer.send(request(7, "ping"))
    expect(await answerTo(peer, 7)).toEqual({ jsonrpc: "2.0", id: 7, result: {} })
    peer.send(request(8, "com.example/ask"))
    expect(await answerTo(peer, 8)).toEqual({ jsonrpc: "2.0", id: 8, result: { by: "outer" } })
    peer.send(request(9, "com.example/other"))
    expect(await answerTo(peer, 9)).toMatchObject({ id: 9, error: { code: -32_601 } })
    expect(seen).toEqual([
      "inner ping",
      "outer ping",
      "inner com.example/ask",
      "outer com.example/ask",
      "inner com.example/other",
      "outer com.example/other",
    ])
    expect(client.state).toBe("ready")
  })

  it("answers for a layer that fails, and says nothing of why", async () => {
    const failing: ReadonlyArray<Middleware["question"] & {}> = [
      () => Promise.reject(new Error("secret-token")),
      () => Effect.die("secret-token"),
      // A program without types may give anything.
      (() => ({ answer: 1 })) as never,
    ]
    for (const question of failing) {
      const peer = memoryPeer(legacyServer(echo))
      await using client = await connected(peer.transport, { middleware: { question } })
      peer.send(request("q", "ping"))
      const answer = await peer.until(({ kind }) => kind === "response")
      expect(answer.message).toMatchObject({ id: "q", error: { code: -32_603 } })
      expect(JSON.stringify(answer)).not.toContain("secret-token")
      expect(noted(client)).toContain("middleware-failed")
    }
  })

  it("V25-CANC-05 is interrupted where the server takes its question back, and answers nothing", async () => {
    const stopped: Array<boolean> = []
    const waits: Middleware = {
      question: async (_request, _next, { signal }) => {
        signal.addEventListener("abort", () => stopped.push(true))
        return await new Promise(() => {})
      },
    }
    const peer = memoryPeer(legacyServer(echo))
    await using client = await connected(peer.transport, { middleware: waits })
    peer.send(request(5, "com.example/ask"))
    peer.send(notification("notifications/cancelled", { requestId: 5 }))
    await settled(client)
    expect(stopped).toEqual([true])
    expect(peer.received.filter(({ kind }) => kind === "response")).toEqual([])
  })

  it("V25-CANC-05 lets the handler behind it know why its question was taken back", async () => {
    const reasons: Array<unknown> = []
    const peer = memoryPeer(legacyServer(echo))
    await using client = await connected(peer.transport, {
      middleware: { question: (_request, next) => next() },
      handlers: {
        roots: async (_params, { signal }) => {
          signal.addEventListener("abort", () => reasons.push(signal.reason))
          return await new Promise(() => {})
        },
      },
    })
    peer.send(request(5, "roots/list"))
    peer.send(notification("notifications/cancelled", { requestId: 5, reason: "never mind" }))
    await settled(client)
    expect(reasons).toMatchObject([{ message: expect.stringContaining("never mind") }])
  })

  it("V26-ENV-06 is not asked about what a modern server may not ask", async () => {
    const seen: Array<string> = []
    const peer = memoryPeer(modernServer(echo))
    await using client = await connected(peer.transport, {
      middleware: {
        question: ({ method }) => {
          seen.push(method)
          return { result: {} }
        },
      },
    })
    peer.send(request(5, "ping"))
    await settled(client)
    expect(seen).toEqual([])
    expect(peer.received.filter(({ kind }) => kind === "response")).toEqual([])
    expect(noted(client)).toContain("server-request-in-modern")
  })
})
