import { describe, expect } from "vitest"
import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { withRules, type Rule } from "@entente/testkit"
import { noted, reasonOf } from "../field/connected.js"
import { bothDoors, complete, eras, everyWireAndEra, wires } from "./wires.js"

const boom = { code: -32603, message: "boom" }

const idLess = (name: string, message: object): Rule => ({
  when: { method: "tools/call", params: { name } },
  reply: [{ message: { jsonrpc: "2.0", ...message } }],
})

describe("an answer whose id got lost", { timeout: 60_000 }, () => {
  it.effect.each(everyWireAndEra)(
    "C055 V25-RPC-06 V26-ENV-10 an error with id null is its exchange's over HTTP, and nobody's on a pipe: over %s, %s",
    ([wire, era]) =>
      Effect.gen(function* () {
        const held: Rule = {
          when: { method: "tools/call", params: { name: "held" } },
          reply: [{ silence: true }],
        }
        const script = withRules(eras[era](), held, idLess("broken", { id: null, error: boom }))
        const { peer, transport } = yield* wires[wire](script)
        const { promises: client } = yield* bothDoors(transport)
        const other = client.callTool({ name: "held" })
        yield* Effect.promise(() => peer.next("tools/call"))
        let end: unknown
        const broken = reasonOf(client.callTool({ name: "broken" }, { timeoutMs: 5_000 })).then(
          (error) => (end = error),
        )
        yield* Effect.promise(() => peer.next("tools/call"))
        if (wire === "http") {
          yield* Effect.promise(() => broken)
          expect(end).toMatchObject({ _tag: "PeerError", rpcCode: -32603, rpcMessage: "boom" })
          expect(noted(client)).toContain("error-id-missing")
        } else {
          yield* Effect.promise(() => client.tools.list())
          expect(end).toBeUndefined()
          expect(noted(client)).toContain("unknown-reply")
          yield* TestClock.adjust("5 seconds")
          yield* Effect.promise(() => broken)
          expect(end).toMatchObject({ _tag: "RequestTimeout" })
        }
        const result = { ...complete[era], content: [] }
        peer.play([{ result }], { method: "tools/call", params: { name: "held" } })
        expect(yield* Effect.promise(() => other)).toEqual(result)
      }),
  )

  it.effect.each(everyWireAndEra)(
    "C055 V25-RPC-05 V26-ENV-08 a result with id null is never accepted: over %s, %s",
    ([wire, era]) =>
      Effect.gen(function* () {
        const result = { ...complete[era], content: [{ type: "text", text: "whose?" }] }
        const script = withRules(
          eras[era](),
          idLess("null", { id: null, result }),
          idLess("absent", { result }),
        )
        const { peer, transport } = yield* wires[wire](script)
        const { promises: client } = yield* bothDoors(transport)
        for (const name of ["null", "absent"]) {
          let end: unknown
          const call = reasonOf(client.callTool({ name }, { timeoutMs: 5_000 })).then(
            (error) => (end = error),
          )
          yield* Effect.promise(() => peer.next("tools/call"))
          if (wire === "http") {
            // Nothing else comes on its exchange, so it ends; the value is not handed out.
            yield* Effect.promise(() => call)
            expect(end).toMatchObject({ _tag: "ProtocolViolation", code: "invalid-message" })
          } else {
            yield* Effect.promise(() => client.tools.list())
            expect(end).toBeUndefined()
            expect(noted(client)).toContain("invalid-message")
            yield* TestClock.adjust("5 seconds")
            yield* Effect.promise(() => call)
            expect(end).toMatchObject({ _tag: "RequestTimeout" })
          }
        }
      }),
  )
})
