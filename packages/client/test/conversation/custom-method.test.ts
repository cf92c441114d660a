import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Schema3 from "effect-3/Schema"
import * as v from "valibot"
import { describe, expect, expectTypeOf, it } from "vitest"
import { z } from "zod"
import { Client, memoryVerdicts } from "@entente/client"
import { legacyServer, memoryPeer, modernServer, withRules, type Rule } from "@entente/testkit"
import { connected } from "../field/connected.js"

const sky = { city: "Ghent", celsius: 11.5, "x-vendor": [1, null] }
const answer = (result: object): Rule => ({ when: { method: "weather/now" }, reply: [{ result }] })
const servers = [legacyServer(), modernServer()]

const schemas = {
  "Effect Schema": Schema.Struct({ city: Schema.String, celsius: Schema.Finite }),
  "Standard Schema of Effect": Schema.toStandardSchemaV1(
    Schema.Struct({ city: Schema.String, celsius: Schema.Finite }),
  ),
  "zod 4": z.object({ city: z.string(), celsius: z.number() }),
  valibot: v.object({ city: v.string(), celsius: v.number() }),
  "Effect 3": Schema3.standardSchemaV1(
    Schema3.Struct({ city: Schema3.String, celsius: Schema3.Finite }),
  ),
  "zod 4, async": z.object({ city: z.string().refine(async () => true), celsius: z.number() }),
}

describe.each(Object.entries(schemas))("a custom method read with %s", (_, schema) => {
  it("gives the typed value, in both eras and through both doors", async () => {
    for (const server of servers) {
      const { transport } = memoryPeer(withRules(server, answer(sky)))
      await using client = await connected(transport)
      const value = await client.request("weather/now", { city: "Ghent" }, schema)
      expectTypeOf(value).toEqualTypeOf<{ readonly city: string; readonly celsius: number }>()
      expect(value).toMatchObject({ city: "Ghent", celsius: 11.5 })
      const effect = Effect.gen(function* () {
        const own = yield* Client.connect(transport, { verdicts: memoryVerdicts() })
        return yield* own.request("weather/now", { city: "Ghent" }, schema)
      })
      expect(await Effect.runPromise(Effect.scoped(effect))).toEqual(value)
    }
  })

  it("fails where the value does not fit, and says where", async () => {
    const { transport } = memoryPeer(
      withRules(modernServer(), answer({ city: "Ghent", celsius: "mild" })),
    )
    await using client = await connected(transport)
    await expect(client.request("weather/now", {}, schema)).rejects.toMatchObject({
      _tag: "ProtocolViolation",
      code: "invalid-result",
      pointer: "/celsius",
    })
  })
})

describe("a custom method", () => {
  it("V25-RPC-11 gives the very result without a schema", async () => {
    const { transport } = memoryPeer(withRules(legacyServer(), answer(sky)))
    await using client = await connected(transport)
    expect(await client.request("weather/now")).toEqual(sky)
    expect(await client.request("weather/now", {}, { timeoutMs: 5_000 })).toEqual(sky)
  })

  it("reads what a schema transforms", async () => {
    const { transport } = memoryPeer(withRules(modernServer(), answer(sky)))
    await using client = await connected(transport)
    const Warm = z.object({ celsius: z.number() }).transform(({ celsius }) => celsius > 10)
    const warm = await client.request("weather/now", {}, Warm)
    expectTypeOf(warm).toEqualTypeOf<boolean>()
    expect(warm).toBe(true)
  })

  it("ends in an error where the schema itself throws", async () => {
    const { transport } = memoryPeer(withRules(modernServer(), answer(sky)))
    await using client = await connected(transport)
    const broken = z.unknown().transform(() => {
      throw new Error("a bug of mine")
    })
    await expect(client.request("weather/now", {}, broken)).rejects.toMatchObject({
      code: "invalid-result",
      cause: { message: "a bug of mine" },
    })
  })

  it("takes an abort, with a schema as without", async () => {
    const { transport } = memoryPeer(
      withRules(modernServer(), { when: { method: "weather/now" }, reply: [{ silence: true }] }),
    )
    await using client = await connected(transport)
    const signal = AbortSignal.abort()
    const aborted = { _tag: "RequestAborted" }
    await expect(client.request("weather/now", {}, { signal })).rejects.toMatchObject(aborted)
    const schema = schemas["zod 4"]
    await expect(client.request("weather/now", {}, schema, { signal })).rejects.toMatchObject(
      aborted,
    )
  })
})
