import { expect, it } from "vitest"
import {
  assignNames,
  catalogId,
  nameFor,
  nameMap,
  nameRules,
  projectResult,
  readArguments,
  readName,
} from "@entente/catalog"

// What the comments of the public functions show.

it("names", () => {
  expect(catalogId("s1", "notify")).toBe("s1__notify")
  expect(readName("s1__notify")).toEqual({ server: "s1", tool: "notify" })
  expect(nameFor("github", "create_issue", nameRules.openai)).toBe("github__create_issue")
  expect(nameFor("wiki", "Größe ändern", nameRules.openai)).toBe("wiki__Gro_e_andern_3f7jvsmfp8")
  const tool = { name: "notify", inputSchema: { type: "object" } } as const
  const tools = ["s1", "s2"].map((server) => ({ server, tool }))
  expect(assignNames(tools, nameRules.anthropic).names).toEqual(["s1__notify", "s2__notify"])
  const map = nameMap([{ server: "s1", name: "s1__notify", tool }])
  expect(map.toolOf("s1__notify")?.tool.name).toBe("notify")
  expect(map.nameOf("s1", "notify")).toBe("s1__notify")
})

it("arguments", async () => {
  const named = {
    server: "s1",
    name: "s1__find",
    tool: {
      name: "find",
      inputSchema: {
        type: "object",
        properties: { q: { type: "string" }, since: { type: "string" } },
        required: ["q"],
      },
    },
  } as const
  expect(await readArguments(named, '{"since":"2026"}')).toEqual({
    ok: false,
    faults: [{ pointer: "", message: "must have required property 'q'" }],
  })
  expect(await readArguments(named, { q: "x", since: null }, { dropNulls: true })).toMatchObject({
    ok: true,
    arguments: { q: "x" },
    changes: [{ kind: "nulls-dropped" }],
  })
})

it("results", () => {
  const result = { content: [{ type: "text", text: "done" }] } as const
  const { value } = projectResult(result, "anthropic")
  expect({ type: "tool_result", tool_use_id: "t1", ...value }).toEqual({
    type: "tool_result",
    tool_use_id: "t1",
    content: [{ type: "text", text: "done" }],
  })
  expect(projectResult(result, "openai").value).toEqual({ content: "done" })
})
