import { it as effectful } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as TestClock from "effect/testing/TestClock"
import { describe, expect, it } from "vitest"
import type { JsonObject } from "@entente/protocol"
import {
  Client,
  UserRefused,
  memoryVerdicts,
  type ConnectOptions,
  type Handlers,
  type UrlContext,
} from "@entente/client"
import { memoryPeer, modernServer, notification, withRules, type Rule } from "@entente/testkit"
import { connected, reasonOf } from "../field/connected.js"
import { offers, server } from "./asking-server.js"
import { pending } from "./registry.js"

const page = (elicitationId: string, url = `https://a.example/?e=${elicitationId}`) => ({
  mode: "url",
  message: "Link your account",
  elicitationId,
  url,
})

const refusing = (data: unknown, times = 1): Rule => ({
  when: { method: "tools/call" },
  times,
  reply: [{ error: { code: -32042, message: "link your account", data } }],
})

const opened = async (rule: Rule, handlers: Handlers, more: ConnectOptions = {}) => {
  const peer = memoryPeer(withRules(server, rule))
  const client = await connected(peer.transport, { mode: "legacy", handlers, ...more })
  return { peer, client }
}

/** A person who agrees to some pages, and what they saw. */
const person = (agrees: (url: string) => boolean = () => true) => {
  const seen: Array<string> = []
  const handlers: Handlers = {
    elicitation: {
      url: ({ url }, { blocked }) => {
        seen.push(`${url} ${blocked}`)
        return { action: agrees(url) ? "accept" : "decline" }
      },
    },
  }
  return { seen, handlers }
}

const refusal = { _tag: "PeerError", rpcCode: -32042, rpcMessage: "link your account" }
const call = { name: "a", arguments: { n: 3 } }

describe("a request that is refused until pages were opened", () => {
  it("V25-ELI-13 V26-DUAL-06 trap 38: is made again after the consent, the same but for its id, and nothing is answered", async () => {
    const { seen, handlers } = person()
    const { peer, client } = await opened(
      refusing({ elicitations: [page("e-1"), page("e-2")] }),
      handlers,
    )
    await using _ = client
    expect(await client.callTool(call)).toMatchObject({ content: [{ type: "text" }] })
    expect(seen).toEqual(["https://a.example/?e=e-1 true", "https://a.example/?e=e-2 true"])
    const [first, second, ...more] = peer.requests("tools/call").map(({ message }) => message)
    expect(more).toEqual([])
    expect(withoutToken(second?.params)).toEqual(withoutToken(first?.params))
    expect(second?.id).not.toBe(first?.id)
    expect(peer.received.filter(({ kind }) => kind === "response")).toEqual([])
  })

  it("V25-ELI-13 any request may be, not only the typed ones", async () => {
    const { seen, handlers } = person()
    const { client } = await opened(
      { ...refusing({ elicitations: [page("e")] }), when: { method: "tools/list" } },
      handlers,
    )
    await using _ = client
    expect((await client.tools.list()).status).toBe("complete")
    expect(seen).toHaveLength(1)
  })

  it("V25-ELI-13 once: a second refusal is the caller's", async () => {
    const { seen, handlers } = person()
    const { peer, client } = await opened(refusing({ elicitations: [page("e")] }, 2), handlers)
    await using _ = client
    expect(await reasonOf(client.callTool(call))).toMatchObject(refusal)
    expect(seen).toHaveLength(1)
    expect(peer.requests("tools/call")).toHaveLength(2)
  })

  it.each([
    ["declines", (): Handlers => person(() => false).handlers],
    [
      "refuses",
      (): Handlers => ({
        elicitation: {
          url: () => {
            throw new UserRefused()
          },
        },
      }),
    ],
    [
      "cannot be asked",
      (): Handlers => ({ elicitation: { url: () => Promise.reject(new Error("no browser")) } }),
    ],
  ])(
    "V25-ELI-13 where the person %s the server's error surfaces, with its pages",
    async (_, handlers) => {
      const data = { elicitations: [page("e")] }
      const { peer, client } = await opened(refusing(data), handlers())
      await using __ = client
      expect(await reasonOf(client.callTool(call))).toMatchObject({ ...refusal, data })
      expect(peer.requests("tools/call")).toHaveLength(1)
    },
  )

  it("V25-ELI-11 asks for no further page after the first no", async () => {
    const { seen, handlers } = person((url) => url.endsWith("1"))
    const elicitations = [page("1"), page("2"), page("3")]
    const { client } = await opened(refusing({ elicitations }), handlers)
    await using _ = client
    expect(await reasonOf(client.callTool(call))).toMatchObject(refusal)
    expect(seen).toHaveLength(2)
  })

  const ordinary: ReadonlyArray<readonly [string, unknown]> = [
    ["no data", undefined],
    ["no pages", { elicitations: [] }],
    ["a form in it", { elicitations: [{ mode: "form", message: "?" }] }],
    ["a page without id", { elicitations: [{ ...page("e"), elicitationId: undefined }] }],
    ["too many pages", { elicitations: Array.from({ length: 17 }, (_, n) => page(`${n}`)) }],
    ["an address that is none", { elicitations: [page("e", "javascript:alert(1)")] }],
  ]

  it.each(ordinary)("V25-ELI-13 V25-ELI-10 with %s it is an ordinary error", async (_, data) => {
    const { seen, handlers } = person()
    const { client } = await opened(refusing(data), handlers)
    await using __ = client
    expect(await reasonOf(client.callTool(call))).toMatchObject(refusal)
    expect(seen).toEqual([])
  })

  it("trap 39: without a handler of pages it is an ordinary error", async () => {
    const formOnly: Handlers = { elicitation: { form: () => ({ action: "cancel" }) } }
    for (const handlers of [{}, formOnly]) {
      const { client } = await opened(refusing({ elicitations: [page("e")] }), handlers)
      await using _ = client
      expect(await reasonOf(client.callTool(call))).toMatchObject(refusal)
    }
  })

  it("V26-ELIC-26 V26-DUAL-01 in the modern era the code means nothing", async () => {
    const { seen, handlers } = person()
    const peer = memoryPeer(
      withRules(modernServer(offers), refusing({ elicitations: [page("e")] })),
    )
    await using client = await connected(peer.transport, { handlers })
    expect(await reasonOf(client.callTool(call))).toMatchObject(refusal)
    expect(seen).toEqual([])
  })
})

describe("while the person is busy with the page", () => {
  const asked = () => {
    const { promise, resolve } = pending<UrlContext>()
    const handlers: Handlers = {
      elicitation: {
        url: async (_, context) => {
          resolve(context)
          await context.completion
          return { action: "accept" }
        },
      },
    }
    return { handlers, context: promise }
  }
  const once = refusing({ elicitations: [page("e-9")] })

  it("V25-ELI-12 V25-ELI-13 the server's word that it is done lets the handler go on, and the request with it", async () => {
    const { handlers, context } = asked()
    const { peer, client } = await opened(once, handlers)
    await using _ = client
    const heard: Array<string> = []
    client.onPageCompleted((id) => heard.push(id))
    const calling = client.callTool(call)
    await context
    const complete = (elicitationId: unknown) =>
      peer.send(notification("notifications/elicitation/complete", { elicitationId }))
    complete("other")
    complete(9)
    complete("e-9")
    complete("e-9")
    expect(await calling).toMatchObject({ content: [{}] })
    await client.tools.list()
    expect(heard).toEqual(["e-9"])
  })

  it("an abort of the call ends the wait at once, and nothing more is sent", async () => {
    const { handlers, context } = asked()
    const { peer, client } = await opened(once, handlers)
    await using _ = client
    const controller = new AbortController()
    const calling = reasonOf(client.callTool(call, { signal: controller.signal }))
    const { signal } = await context
    controller.abort()
    expect(await calling).toMatchObject({ _tag: "RequestAborted" })
    expect(signal.aborted).toBe(true)
    await client.tools.list()
    expect(peer.requests("tools/call")).toHaveLength(1)
  })

  effectful.effect("a page that stays open is given up after the time for rounds", () =>
    Effect.gen(function* () {
      const { handlers, context } = asked()
      const peer = memoryPeer(withRules(server, once))
      const client = yield* Client.connect(peer.transport, {
        mode: "legacy",
        verdicts: memoryVerdicts(),
        handlers,
        rounds: { deadlineMs: 60_000 },
      })
      const calling = yield* Effect.forkChild(Effect.flip(client.callTool(call)))
      const { signal } = yield* Effect.promise(() => context)
      yield* TestClock.adjust("59 seconds")
      expect(signal.aborted).toBe(false)
      yield* TestClock.adjust("1 second")
      expect(yield* Fiber.join(calling)).toMatchObject(refusal)
      expect(signal.aborted).toBe(true)
    }),
  )

  it("the end of the connection ends the call with the server's error", async () => {
    const { handlers, context } = asked()
    const { client } = await opened(once, handlers)
    const calling = reasonOf(client.callTool(call))
    const { signal } = await context
    await client.close()
    expect(await calling).toMatchObject(refusal)
    expect(signal.aborted).toBe(true)
  })
})

const withoutToken = (params: JsonObject | undefined): unknown => ({ ...params, _meta: undefined })
