import { describe, expect, it } from "vitest"
import * as Effect from "effect/Effect"
import type { Root } from "@entente/protocol"
import { legacy, modern, registry, root } from "./registry.js"
import { checkRoots } from "../../src/question/roots.js"

describe("roots", () => {
  it("V25-ROOT-01 V26-ROOT-02 are what the list says, _meta included; an empty one is legal", async () => {
    const roots = [root, { uri: "file:///a%20b", _meta: { "example.com/x": 1 } }]
    for (const circumstances of [legacy, modern]) {
      expect(await registry({ roots }).ask("roots/list", {}, circumstances)).toEqual({ roots })
      expect(await registry({ roots: [] }).ask("roots/list", undefined, circumstances)).toEqual({
        roots: [],
      })
    }
  })

  it("are asked for anew each time where a function gives them", async () => {
    let count = 0
    const { ask } = registry({
      roots: () => Effect.sync(() => [{ uri: `file:///${++count}` }]),
    })
    await ask("roots/list")
    expect(await ask("roots/list")).toEqual({ roots: [{ uri: "file:///2" }] })
  })

  it.each([
    "https://example.com/",
    "/home/me",
    "file:/home/me",
    "file:///a/../../etc",
    "file:///a/..",
    "file:///a/%2e%2E/b",
    "file:///a/.%2e/b",
    "file:///a/..%2fb",
    "file:///a/..\\b",
    "file://../etc",
    "file://[",
  ])("V25-ROOT-02 V26-ROOT-03 %s is never shown to a server", async (uri) => {
    expect(checkRoots([root, { uri }])).toMatchObject({ pointer: "/roots/1/uri" })
    const { ask } = registry({ roots: () => [root, { uri }] })
    expect(await ask("roots/list")).toMatchObject({
      kind: "invalid-answer",
      rpcCode: -32603,
      pointer: "/roots/1/uri",
    })
  })

  it.each([
    "file:///a/..b/c",
    "file:///a...b",
    "file://host/share",
    "file:///C:/x",
    "file:///a%",
    "file:///a?x=../y",
  ])("%s leads nowhere else", (uri) => {
    expect(checkRoots([{ uri }])).toBeUndefined()
  })

  it.each([undefined, null, "file:///a", [{ name: "x" }], [null]])(
    "V25-ROOT-03 what is no list of roots is -32603: %j",
    async (given) => {
      const { ask } = registry({ roots: () => given as unknown as ReadonlyArray<Root> })
      expect(await ask("roots/list")).toMatchObject({ kind: "invalid-answer", rpcCode: -32603 })
    },
  )
})
