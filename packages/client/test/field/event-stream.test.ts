import { describe, expect } from "vitest"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { Client, memoryVerdicts } from "@entente/client"
import {
  legacyServer,
  tool,
  withRules,
  type RawBytes,
  type Rule,
  type Step,
} from "@entente/testkit"
import { httpPeer, startHttpPeer } from "@entente/testkit/node"
import { http } from "@entente/transport"
import { connected, noted } from "./connected.js"

const legacy = legacyServer({ tools: [tool("a")] })
const head: Step = { http: { headers: { "content-type": "text/event-stream" } } }
const result = { content: [{ type: "text", text: "读" }] }
const answer = { jsonrpc: "2.0", id: { $from: "/id" }, result }

const streamed = (...bytes: ReadonlyArray<RawBytes>): Rule => ({
  when: { method: "tools/call" },
  reply: [head, ...bytes.map((raw): Step => ({ raw }))],
})

describe("the bytes of a response stream", { timeout: 30_000 }, () => {
  it.each([
    ["LF", "\n", "\n"],
    ["CRLF", "\r\n", "\r\n"],
    ["CR", "\r", "\r"],
    ["CRLF, then LF", "\r\n", "\n"],
  ])("C038 with lines ended by %s they are exactly one message", async (_, end, blank) => {
    const whole = ["event: message", end, "data: ", { json: answer }, end, blank]
    // The message of initialize too, as of every server on the same library.
    const initialized = {
      protocolVersion: "2025-11-25",
      capabilities: { tools: {} },
      serverInfo: { name: "crlf", version: "1" },
    }
    const opened = { ...answer, result: initialized }
    const initialize: Rule = {
      when: { method: "initialize" },
      reply: [head, { raw: ["event: message", end, "data: ", { json: opened }, end, blank] }],
    }
    for (const bytes of [[whole], [...whole], [whole.slice(0, -1), blank]]) {
      await using peer = await startHttpPeer(withRules(legacy, initialize, streamed(...bytes)))
      await using client = await connected(peer.url, { mode: "legacy", listen: false })
      expect(await client.callTool({ name: "a" })).toEqual(result)
      expect(noted(client)).toEqual([])
      expect(peer.methods()).toEqual(["initialize", "notifications/initialized", "tools/call"])
    }
  })

  it("C040 several data lines are one message, and a character that is cut is whole", async () => {
    const text = `data: {\ndata: "jsonrpc":"2.0","id":2,\ndata: "result":{"content":[{"type":"text","text":"读"}]}}\n\n`
    const bytes = Buffer.from(text)
    const at = bytes.indexOf(Buffer.from("读"))
    for (const cut of [at + 1, at + 2]) {
      const parts = [bytes.subarray(0, cut), bytes.subarray(cut)]
      const [first = "", second = ""] = parts.map((part) => part.toString("base64"))
      await using peer = await startHttpPeer(
        withRules(legacy, {
          when: { method: "tools/call" },
          reply: [head, { raw: { base64: first } }, { silence: true }],
        }),
      )
      await using client = await connected(peer.url, { mode: "legacy", listen: false })
      const calling = client.callTool({ name: "a" })
      await peer.next("tools/call")
      peer.play([{ raw: { base64: second } }], { method: "tools/call" })
      expect(await calling).toEqual(result)
      expect(noted(client)).toEqual([])
    }
  })

  const primed = "id: 42\ndata: \n\n: keepalive\n\nevent: ping\ndata: 2025-01-01T00:00:00Z\n\n"

  it("C041 V25-HTTP-20 an id with empty data, a comment and a ping are no messages and no errors", async () => {
    await using peer = await startHttpPeer(
      withRules(legacy, streamed(primed, ["event: message\ndata: ", { json: answer }, "\n\n"])),
    )
    await using client = await connected(peer.url, { mode: "legacy", listen: false })
    const heard: Array<string> = []
    client.onNotification(({ method }) => heard.push(method))
    expect(await client.callTool({ name: "a" })).toEqual(result)
    expect({ heard, noted: noted(client) }).toEqual({ heard: [], noted: [] })
  })

  it.effect("C041 V25-HTTP-21 the id without data is where a stream that is cut goes on", () =>
    Effect.gen(function* () {
      const peer = yield* httpPeer(withRules(legacy, streamed(primed)))
      const options = { mode: "legacy", listen: false, verdicts: memoryVerdicts() } as const
      const client = yield* Client.connect(http(peer.url), options)
      const calling = yield* Effect.forkChild(client.callTool({ name: "a" }), {
        startImmediately: true,
      })
      const { message } = yield* Effect.promise(() => peer.next("tools/call"))
      const { id } = message as { readonly id: number }
      const reply = { jsonrpc: "2.0", id, result }
      peer.add({
        when: { httpMethod: "GET", headers: { "last-event-id": "42" } },
        reply: [{ event: { message: reply } }],
      })
      for (let turn = 0; turn < 1_000 && peer.exchanges("GET").length === 0; turn++) {
        yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
        yield* TestClock.adjust("50 millis")
      }
      expect(yield* Fiber.join(calling)).toEqual(result)
      expect(peer.exchanges("GET").map(({ headers }) => headers?.["last-event-id"])).toEqual(["42"])
    }),
  )
})
