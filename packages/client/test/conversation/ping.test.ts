import { describe, expect, it } from "vitest"
import * as Effect from "effect/Effect"
import { Client, memoryVerdicts } from "@entente/client"
import {
  legacyServer,
  memoryPeer,
  modernServer,
  tool,
  withRules,
  type Rule,
} from "@entente/testkit"
import { connected, noted, reasonOf } from "../field/connected.js"

const servers = {
  ping: legacyServer({ tools: [tool("a")] }),
  "server/discover": modernServer({ tools: [tool("a")] }),
} as const

const rows = Object.entries(servers)

const pinged = (reply: Rule["reply"], method: string): Rule => ({
  when: { kind: "request", method, nth: method === "ping" ? 1 : 2 },
  reply,
})

describe.each(rows)("ping, which is %s", (method, script) => {
  it("V25-PING-04 V26-ENV-12 asks a server of its era in its own words, through both doors", async () => {
    const peer = memoryPeer(script)
    await using client = await connected(peer.transport)
    const before = peer.requests(method).length
    expect(await client.ping()).toBeUndefined()
    expect(peer.requests(method)).toHaveLength(before + 1)
    const program = Effect.gen(function* () {
      const own = yield* Client.connect(peer.transport, { verdicts: memoryVerdicts() })
      return yield* own.ping()
    })
    await Effect.runPromise(Effect.scoped(program))
    const others = Object.keys(servers).filter((other) => other !== method)
    // `server/discover` is how every connection begins that does not know its server yet.
    expect(others.some((other) => other === "ping" && peer.methods().includes(other))).toBe(false)
  })

  it("V25-PING-04 takes a method that is not known for an answer, with a note", async () => {
    const unknown = pinged([{ error: { code: -32601, message: "Method not found" } }], method)
    const peer = memoryPeer(withRules(script, unknown))
    await using client = await connected(peer.transport)
    await client.ping()
    expect(noted(client)).toContain("ping-unsupported")
  })

  it("V25-PING-04 fails with what the server says, with silence, and when it is given up", async () => {
    const broken = pinged([{ error: { code: -32603, message: "broken" } }], method)
    const peer = memoryPeer(withRules(script, broken, { ...pinged([{ silence: true }], method) }))
    await using client = await connected(peer.transport)
    expect(await reasonOf(client.ping())).toMatchObject({ _tag: "PeerError", rpcCode: -32603 })
    peer.add({ when: { kind: "request", method }, reply: [{ silence: true }] })
    expect(await reasonOf(client.ping({ timeoutMs: 10 }))).toMatchObject({ _tag: "RequestTimeout" })
    const stop = new AbortController()
    const pinging = reasonOf(client.ping({ signal: stop.signal }))
    stop.abort()
    expect(await pinging).toMatchObject({ _tag: "RequestAborted" })
  })
})
