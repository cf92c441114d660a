import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { connect, type ConnectOptions, type PromiseClient, type Progress } from "@entente/client"
import { stdio } from "@entente/transport/stdio"
import { reasonOf } from "../field/connected.js"
import { type Listening, listening, own } from "@entente/published-servers"

const asked: Array<string> = []

/** Registered once, for every server and era below. */
const handlers: NonNullable<ConnectOptions["handlers"]> = {
  roots: [{ uri: "file:///home/me/garden", name: "garden" }],
  sampling: ({ messages }, { era }) => {
    asked.push(`sampling in ${era}`)
    expect(messages).toHaveLength(1)
    return {
      role: "assistant",
      content: { type: "text", text: "Rain walks on the roof." },
      model: "by hand",
    }
  },
  elicitation: {
    form: ({ message }, { era }) => {
      asked.push(`${message} in ${era}`)
      return { action: "accept", content: { slot: "pm" } }
    },
    url: ({ url }, { era }) => {
      asked.push(`${url} in ${era}`)
      return { action: "accept" }
    },
  },
}

const textOf = async (client: PromiseClient, name: string): Promise<unknown> => {
  const { content } = await client.callTool({ name })
  return (content[0] as { readonly text?: unknown }).text
}

describe.each(["modern", "legacy"] as const)("the official server of 2.4, %s", (mode) => {
  let http: Listening

  beforeAll(async () => {
    http = await listening(own("conversation-server.mjs", "http"), /^\d+\n/)
  })
  afterAll(() => http[Symbol.asyncDispose]())

  // Its legacy half over HTTP keeps no session, so that it cannot ask there.
  const ways = mode === "modern" ? (["stdio", "http"] as const) : (["stdio"] as const)

  describe.each(ways)("over %s", (way) => {
    const open = (options: ConnectOptions = { handlers }): Promise<PromiseClient> =>
      connect(
        way === "stdio"
          ? stdio(own("conversation-server.mjs", "stdio"))
          : `http://127.0.0.1:${http.output.trim()}/mcp`,
        { mode, probeMs: 30_000, ...options },
      )

    it("V26-DUAL-10 asks the one handler by form, and defaults are filled in", async () => {
      asked.length = 0
      await using client = await open()
      expect(client.era).toBe(mode)
      expect(await textOf(client, "book")).toBe("booked: pm for 2")
      expect(asked).toEqual([`Which slot? in ${mode}`])
    })

    it("asks for a page to be opened", async () => {
      asked.length = 0
      await using client = await open()
      expect(await textOf(client, "pay")).toBe("payment: accept")
      expect(asked).toEqual([`https://pay.example/81 in ${mode}`])
    })

    it("asks a model and for roots in one round", async () => {
      await using client = await open()
      expect(await textOf(client, "research")).toBe(
        "Rain walks on the roof. / file:///home/me/garden",
      )
    })

    it("is told no", async () => {
      await using client = await open({
        handlers: { elicitation: { form: () => ({ action: "decline" }) } },
      })
      expect(await textOf(client, "book")).toBe("not booked: decline")
    })

    it("is told nothing where nobody is there to answer", async () => {
      await using client = await open({})
      const outcome = await client.callTool({ name: "book" }).catch((error: unknown) => error)
      expect(outcome).toMatchObject(
        // V26-META-06: what a request does not declare, a modern server demands by name.
        mode === "legacy" ? { isError: true } : { _tag: "PeerError", rpcCode: -32021 },
      )
    })

    it("V25-PROG-02 V26-PROG-05 reports its progress", async () => {
      await using client = await open()
      const seen: Array<Progress> = []
      await client.callTool({ name: "count" }, { onProgress: (progress) => seen.push(progress) })
      expect(seen).toEqual(
        [1, 2, 3].map((progress) => ({ progress, total: 3, message: `step ${progress}` })),
      )
    })

    it("V26-CANC-01 V25-CANC-01 is told when a call is cancelled", async () => {
      await using client = await open()
      const stop = new AbortController()
      const reason = reasonOf(client.callTool({ name: "wait" }, { signal: stop.signal }))
      await client.callTool({ name: "count" })
      stop.abort()
      expect(await reason).toMatchObject({ _tag: "RequestAborted" })
      expect(await textOf(client, "count")).toBe("counted")
    })
  })
})

it("V26-MRTR-03 V26-MRTR-05 a paused call goes on in another connection to the official server", async () => {
  await using server = await listening(own("conversation-server.mjs", "http"), /^\d+\n/)
  const url = `http://127.0.0.1:${server.output.trim()}/mcp`
  const declared = { elicitation: { form: {} } }
  let pause = ""
  {
    await using client = await connect(url)
    await client
      .callTool({ name: "book" }, { input: "manual", capabilities: declared })
      .catch((error: unknown) => {
        const { pause: held } = error as { readonly pause: { readonly serialize: () => string } }
        pause = held.serialize()
      })
  }
  await using client = await connect(url)
  const answers = { slot: { action: "accept", content: { slot: "am", guests: 4 } } } as const
  const result = await client.resume(pause, answers, { capabilities: declared })
  expect(result.content).toEqual([{ type: "text", text: "booked: am for 4" }])
})
