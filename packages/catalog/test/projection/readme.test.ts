import { readFile } from "node:fs/promises"
import { describe, expect, it } from "vitest"
import type { ServerTool } from "@entente/catalog"
import { forAnthropic } from "./readme-tools.js"

const textOf = (path: string) => readFile(new URL(path, import.meta.url), "utf8")

const tools: ReadonlyArray<ServerTool> = [
  {
    server: "store",
    tool: {
      name: "find",
      description: "Finds things.",
      inputSchema: {
        type: "object",
        properties: { q: { type: "string", minLength: 2 }, "page[size]": { type: "integer" } },
        required: ["q"],
      },
    },
  },
]

describe("the tools in the README", () => {
  it("are the file that runs here", async () => {
    const example = await textOf("readme-tools.ts")
    expect(await textOf("../../README.md")).toContain(`\`\`\`ts\n${example}\`\`\``)
  })

  it("go out strict, and what was changed is told", () => {
    const { request, changes } = forAnthropic(tools)
    expect(request).toEqual({
      tools: [
        {
          name: "store__find",
          description: "Finds things.",
          input_schema: {
            type: "object",
            properties: { q: { type: "string" }, page_size: { type: ["integer", "null"] } },
            required: ["q", "page_size"],
            additionalProperties: false,
          },
          strict: true,
        },
      ],
    })
    expect(changes).toEqual([
      "find/inputSchema/properties/q/minLength: keyword-dropped",
      "find/inputSchema/properties/page[size]: renamed",
      "find/inputSchema/properties/page[size]: rewritten",
      "find/inputSchema/additionalProperties: filled",
    ])
    expect(forAnthropic([]).request).toEqual({})
  })

  it("lead back to the server and its own schema", async () => {
    const { read } = forAnthropic(tools)
    expect(await read("store__find", { q: "tea", page_size: 5 })).toMatchObject({
      server: "store",
      tool: "find",
      ok: true,
      arguments: { q: "tea", "page[size]": 5 },
    })
    expect(await read("store__find", { q: "tea", page_size: null })).toMatchObject({
      arguments: { q: "tea" },
    })
    expect(await read("store__find", { q: "t", page_size: null })).toMatchObject({ ok: false })
    expect(await read("store__lose", {})).toBeUndefined()
  })
})
