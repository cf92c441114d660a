import { inspect } from "node:util"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { Client, memoryVerdicts, type PromiseClient } from "@entente/client"
import type { InputRequired } from "@entente/protocol"
import { memoryPeer, type MemoryPeer } from "@entente/testkit"
import { startHttpPeer } from "@entente/testkit/node"
import { connected, reasonOf } from "../field/connected.js"
import { asking, done, form, inputRequired, paramsOf } from "./asking-server.js"

const book = { name: "book", arguments: { day: "2026-09-01" } }
const ask = inputRequired({ inputRequests: { q: form("Which?") }, requestState: "bearer-7f" })
const manual = { input: "manual", capabilities: { elicitation: { form: {} } } } as const
const accept = { q: { action: "accept", content: {} } } as const

const paused = async (client: PromiseClient): Promise<InputRequired> =>
  (await reasonOf(client.callTool(book, manual))) as InputRequired

const withPeer = async (
  run: (peer: MemoryPeer, client: PromiseClient) => Promise<void>,
): Promise<void> => {
  const peer = memoryPeer(asking([ask, done]))
  await using client = await connected(peer.transport)
  await run(peer, client)
}

describe("a request that waits for its caller's answers", () => {
  it("C034 hands out what is asked, whether or not there is a handler", () =>
    withPeer(async (peer, client) => {
      const { _tag, keys, pause } = await paused(client)
      expect({ _tag, keys, rounds: pause.rounds }).toEqual({
        _tag: "InputRequired",
        keys: ["q"],
        rounds: 0,
      })
      expect(pause.inputRequests).toEqual({ q: form("Which?") })
      expect(peer.requests("tools/call")).toHaveLength(1)
    }))

  it("V26-MRTR-05 V26-MRTR-09 goes on with the answers, in the same process", () =>
    withPeer(async (peer, client) => {
      const { pause } = await paused(client)
      await expect(client.resume(pause, accept)).resolves.toMatchObject(done)
      expect(paramsOf(peer.requests("tools/call"))[1]).toEqual({
        ...book,
        inputResponses: accept,
        requestState: "bearer-7f",
      })
    }))

  it("V26-MRTR-03 goes on in another process, from JSON text", async () => {
    await using peer = await startHttpPeer(asking([ask, done]))
    let text: string
    {
      await using client = await connected(peer.url)
      text = (await paused(client)).pause.serialize()
    }
    await using another = await connected(peer.url)
    await expect(another.resume(text, accept)).resolves.toMatchObject(done)
  })

  it("goes on through the door of effects as well", async () => {
    const peer = memoryPeer(asking([ask, ask, done]))
    const result = await Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const client = yield* Client.connect(peer.transport, { verdicts: memoryVerdicts() })
          const first = yield* Effect.flip(client.callTool(book, manual))
          if (first._tag !== "InputRequired") return yield* first
          const second = yield* Effect.flip(client.resume(first.pause, accept, manual))
          if (second._tag !== "InputRequired") return yield* second
          expect(second.pause.rounds).toBe(1)
          return yield* client.resume(second.pause.serialize(), accept)
        }),
      ),
    )
    expect(result).toMatchObject(done)
  })

  it("V26-MRTR-15 goes on with some of the answers, and the server asks for the rest", async () => {
    const both = inputRequired({ inputRequests: { q: form("a"), r: form("b") } })
    const peer = memoryPeer(asking([both, ask, done]))
    await using client = await connected(peer.transport)
    const { pause } = await paused(client)
    const again = (await reasonOf(client.resume(pause, accept))) as InputRequired
    expect(again.keys).toEqual(["q"])
  })

  it("V26-MRTR-11 refuses another server's pause, broken text and stray answers, and sends nothing", () =>
    withPeer(async (peer, client) => {
      const { pause } = await paused(client)
      const elsewhere = pause.serialize().replace(client.target, "another server")
      const refused = { _tag: "InvalidInput", code: "invalid-input" }
      await expect(client.resume(elsewhere, accept)).rejects.toMatchObject(refused)
      await expect(client.resume("{", accept)).rejects.toMatchObject(refused)
      await expect(client.resume('{"pause":1}', accept)).rejects.toMatchObject(refused)
      const stray = { z: { action: "decline" } } as const
      await expect(client.resume(pause, stray)).rejects.toMatchObject(refused)
      const method = "prompts/get" as const
      await expect(client.resume(pause, accept, { method })).rejects.toMatchObject(refused)
      expect(peer.requests("tools/call")).toHaveLength(1)
    }))

  it("V26-SEC-12 keeps the server's state out of everything that is shown or logged", () =>
    withPeer(async (_, client) => {
      const error = await paused(client)
      const shown = [
        inspect(error, { depth: 10 }),
        String(error),
        JSON.stringify(error),
        JSON.stringify(error.pause),
        inspect(error.pause, { showHidden: true }),
        JSON.stringify(client.notes),
      ].join("\n")
      expect(shown).not.toContain("bearer-7f")
      expect(error.pause.serialize()).toContain("bearer-7f")
    }))

  it("V26-MRTR-16 counts the rounds before the pause", async () => {
    const peer = memoryPeer(asking([ask]))
    await using client = await connected(peer.transport, { rounds: { max: 1 } })
    const { pause } = await paused(client)
    await expect(client.resume(pause, accept, manual)).rejects.toMatchObject({
      code: "too-many-rounds",
      rounds: 1,
    })
  })
})
