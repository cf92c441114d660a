import { it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { describe, expect } from "vitest"
import { connect, memoryVerdicts, type Middleware } from "@entente/client"
import { memoryPeer, modernServer, refusal, tool, withRules, type Rule } from "@entente/testkit"
import { startHttpPeer } from "@entente/testkit/node"
import { asking, done, inputRequired } from "../conversation/asking-server.js"
import { connected, noted, reasonOf } from "../field/connected.js"
import { mirroredOf, plain, regional } from "../mirror/annotated.js"
import { answered, everywhere, listed, lists, meet, refused } from "./changing-lists.js"

const says = (text: string, isError = true) =>
  answered("tool", { content: [{ type: "text", text }], isError })

describe.for(everywhere)("a call of a %s server over %s", ([era, way]) => {
  const open = (...rules: ReadonlyArray<Rule>) =>
    Effect.tap(meet(era, way)(rules), ({ effects }) => effects.tools.list())

  it.effect.each([
    "MCP error -32602: Tool a not found", // the official SDK of 1.x
    "Unknown tool: a", // the official SDK for Python
    "Tool a disabled",
    'The tool "a" does not exist.',
  ])("V26-TOOL-10 V25-TOOL-05 whose result says '%s' fails if the list says so too", (text) =>
    Effect.gen(function* () {
      const removing = lists("tools/list", listed("tool", "a", "b"), listed("tool", "b"))
      const { effects, promises, peer } = yield* open(...removing, says(text))
      const result = { isError: true, content: [{ type: "text", text }] }
      const gone = { code: "no-longer-offered", kind: "tool", name: "a", result }
      const error = yield* Effect.flip(effects.callTool({ name: "a" }))
      expect(error).toMatchObject(gone)
      expect(error.cause).toBeUndefined()
      expect(yield* Effect.promise(() => reasonOf(promises.callTool({ name: "a" })))).toMatchObject(
        gone,
      )
      expect(peer.requests("tools/list")).toHaveLength(2)
    }),
  )

  it.effect(
    "V26-TOOL-10 V25-TOOL-05 whose result says so of a tool that is listed is that result",
    () =>
      Effect.gen(function* () {
        const text = "Tool a not found in the shed"
        const same = lists("tools/list", listed("tool", "a"))
        const { effects, promises, peer } = yield* open(...same, says(text))
        const result = { isError: true, content: [{ type: "text", text }] }
        for (let turn = 0; turn < 3; turn++) {
          expect(yield* effects.callTool({ name: "a" })).toMatchObject(result)
          expect(yield* Effect.promise(() => promises.callTool({ name: "a" }))).toMatchObject(
            result,
          )
        }
        expect(peer.requests("tools/list")).toHaveLength(2)
      }),
  )

  it.effect.each<[text: string, isError: boolean]>([
    ["disk full", true],
    ["Tool abc not found", true],
    ["Tool c.a not found", true],
    ["file a not found", true],
    [`Tool a not found${" ".repeat(1_000)}`, true],
    ["Tool a not found", false],
  ])("V25-TOOL-05 whose result says '%s' (isError %s) costs no reading", ([text, isError]) =>
    Effect.gen(function* () {
      const removing = lists("tools/list", listed("tool", "a"), listed("tool"))
      const { effects, peer } = yield* open(...removing, says(text, isError))
      const { content } = yield* effects.callTool({ name: "a" })
      expect(content).toEqual([{ type: "text", text }])
      expect(peer.requests("tools/list")).toHaveLength(1)
    }),
  )

  it.effect(
    "V26-CACHE-14 with headers of its own may be somebody else's: no list is read for it",
    () =>
      Effect.gen(function* () {
        const removing = lists("tools/list", listed("tool", "a"), listed("tool"))
        const { effects, peer } = yield* open(...removing, refused("tool", -32602))
        const headers = { authorization: "Bearer other" }
        const error = yield* Effect.flip(effects.callTool({ name: "a" }, { headers }))
        expect(error).toMatchObject({ _tag: "PeerError" })
        expect(peer.requests("tools/list")).toHaveLength(1)
      }),
  )

  it.effect("of a tool that has to be set aside by now is as the server says", () =>
    Effect.gen(function* () {
      const broken = { tools: [{ name: "a", inputSchema: { type: "array" } }] }
      const { effects, peer } = yield* open(
        ...lists("tools/list", listed("tool", "a"), broken),
        refused("tool", -32602),
      )
      const error = yield* Effect.flip(effects.callTool({ name: "a" }))
      expect(error).toMatchObject({ _tag: "PeerError", rpcCode: -32602 })
      expect(peer.requests("tools/list")).toHaveLength(2)
    }),
  )

  it.effect("of a resource that only a template stands for costs no reading", () =>
    Effect.gen(function* () {
      const templates = { resourceTemplates: [{ uriTemplate: "note://{id}", name: "notes" }] }
      const { effects, peer } = yield* open(
        ...lists("resources/list", listed("resource", "note://b")),
        ...lists("resources/templates/list", templates),
        refused("resource", -32602, "Resource note://a not found"),
      )
      yield* effects.resources.list()
      yield* effects.resources.templates.list()
      const error = yield* Effect.flip(effects.readResource({ uri: "note://a" }))
      expect(error).toMatchObject({ code: "resource-not-found" })
      expect(peer.requests("resources/list")).toHaveLength(1)
    }),
  )

  it.effect("of a resource that is gone names no credentials of its URI", () =>
    Effect.gen(function* () {
      const uri = "db://me:hunter2@host/table?token=hunter2"
      const { effects } = yield* open(
        ...lists("resources/list", listed("resource", uri), listed("resource")),
        refused("resource", -32002),
      )
      yield* effects.resources.list()
      const error = yield* Effect.flip(effects.readResource({ uri }))
      expect(error).toMatchObject({ code: "no-longer-offered", kind: "resource" })
      expect(JSON.stringify(error)).toContain("host/table")
      expect(JSON.stringify([error, error.message])).not.toContain("hunter2")
    }),
  )

  it.effect("is seen by middleware with all that it leads to, each request by itself", () =>
    Effect.gen(function* () {
      const seen: Array<string> = []
      const follows: Middleware = {
        request: async ({ method }, next) => {
          seen.push(method)
          return next().catch((error: unknown) => {
            seen.push((error as { readonly code: string }).code)
            throw error
          })
        },
      }
      const described = { prompts: [{ name: "a", description: "new" }] }
      const rules = [
        ...lists("prompts/list", listed("prompt", "a"), described),
        refused("prompt", -32602, "no", 1),
        answered("prompt"),
      ]
      const { effects } = yield* meet(era, way)(rules, { middleware: follows })
      yield* effects.prompts.list()
      seen.length = 0
      yield* effects.getPrompt({ name: "a" })
      expect(seen).toEqual(["prompts/get", "peer-error", "prompts/list", "prompts/get"])
    }),
  )

  it.effect(
    "with an answer of middleware is none of the server's: what fails there costs no reading",
    () =>
      Effect.gen(function* () {
        const fails: Middleware = {
          request: (request, next) => {
            if (request.method === "tools/call") throw new Error("Tool a not found")
            return next()
          },
        }
        const rules = lists("tools/list", listed("tool", "a"))
        const { effects, peer } = yield* meet(era, way)(rules, { middleware: fails })
        yield* effects.tools.list()
        const error = yield* Effect.flip(effects.callTool({ name: "a" }))
        expect(error).toMatchObject({ _tag: "MiddlewareFailed" })
        expect(peer.requests("tools/list")).toHaveLength(1)
      }),
  )

  it.effect("V25-TASK-01 that may become a task says as well what was removed", () =>
    Effect.gen(function* () {
      const removing = lists("tools/list", listed("tool", "a"), listed("tool"))
      const { effects, peer } = yield* open(...removing, refused("tool", -32602))
      const error = yield* Effect.flip(effects.tasks.call({ name: "a" }))
      expect(error).toMatchObject({ code: "no-longer-offered", name: "a" })
      expect(peer.requests("tools/list")).toHaveLength(2)
    }),
  )
})

describe.each(["legacy", "modern"] as const)("two calls of a %s server", (era) => {
  it.effect(
    "V26-CACHE-05 share a reading, and whoever joined it has one of their own to come",
    () =>
      Effect.gen(function* () {
        const rules = [...lists("tools/list", listed("tool", "a", "b")), refused("tool", -32602)]
        const { effects, peer } = yield* meet(era, "memory")(rules)
        yield* effects.tools.list()
        const both = ["a", "b"].map((name) => Effect.flip(effects.callTool({ name })))
        yield* Effect.all(both, { concurrency: "unbounded" })
        expect(peer.requests("tools/list")).toHaveLength(2)
        // The reading may have been too early for the one that did not begin it.
        yield* Effect.all(both)
        yield* Effect.all(both)
        expect(peer.requests("tools/list")).toHaveLength(3)
      }),
  )
})

describe("a call of a modern server", () => {
  it("V26-MRTR-10 whose later round is refused is not made once more: answers belong to one question", async () => {
    const asks = asking([inputRequired({ requestState: "s1" }), done]).rules[0]
    const described = { prompts: [{ name: "book", description: "new" }] }
    const peer = memoryPeer(
      withRules(
        modernServer({ prompts: [] }),
        ...lists("prompts/list", listed("prompt", "book"), described),
        ...(asks === undefined ? [] : [{ ...asks, when: { method: "prompts/get", nth: 1 } }]),
        refused("prompt", -32602, "state expired"),
      ),
    )
    await using client = await connected(peer.transport, { listen: false })
    await client.prompts.list()
    expect(await reasonOf(client.getPrompt({ name: "book" }))).toMatchObject({ rpcCode: -32602 })
    expect(peer.requests("prompts/get")).toHaveLength(2)
    expect(peer.requests("prompts/list")).toHaveLength(2)
  })

  it("V26-XHDR-13 C031 whose headers were put right has had its list read: it is not read again", async () => {
    const rules: ReadonlyArray<Rule> = [
      ...lists("tools/list", { tools: [plain] }, { tools: [regional] }),
      {
        when: { method: "tools/call", nth: 1 },
        reply: refusal(400, -32020, "Mcp-Param-Region is missing"),
      },
      { when: { method: "tools/call" }, reply: refusal(200, -32602, "no such region") },
    ]
    await using peer = await startHttpPeer(withRules(modernServer({ tools: [] }), ...rules))
    await using client = await connected(peer.url, { listen: false })
    await client.tools.list()
    const call = { name: "move", arguments: { region: "x" } }
    expect(await reasonOf(client.callTool(call))).toMatchObject({ rpcCode: -32602 })
    expect(peer.requests("tools/call").map(mirroredOf)).toEqual([{}, { "mcp-param-region": "x" }])
    expect(peer.requests("tools/list")).toHaveLength(2)
    expect(noted(client)).toEqual(["headers-rebuilt"])
  })

  it("T-43 V26-CACHE-05 that is unknown to it, though it said otherwise, makes the next connection ask anew", async () => {
    const peer = memoryPeer(
      withRules(
        modernServer({ tools: [tool("a")], prompts: [], ttlMs: 60_000, cacheScope: "public" }),
        { when: { method: "prompts/get" }, reply: refusal(200, -32601, "Method not found") },
        { when: { method: "vendor/own" }, reply: refusal(200, -32601, "Method not found") },
      ),
    )
    const verdicts = memoryVerdicts()
    const asked = async (method: string) => {
      await using client = await connect(peer.transport, { verdicts, listen: false })
      expect(client.era).toBe("modern")
      const params = { name: "a", arguments: {} }
      await client.request(method, params).catch(() => {})
      return peer.requests("server/discover").length
    }
    expect(await asked("tools/call")).toBe(1)
    expect(await asked("vendor/own")).toBe(1)
    expect(await asked("prompts/get")).toBe(1)
    expect(await asked("tools/call")).toBe(2)
    expect(await asked("tools/call")).toBe(2)
  })
})
