import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import type { Tool } from "@entente/protocol"
import { nearest } from "../../src/search/nearest.js"
import { foldedWords } from "../../src/search/folded-words.js"
import { search, type SearchOptions } from "../../src/search/search.js"
import { CatalogTool } from "../../src/tool/catalog-tool.js"

const made = (name: string, extra: Partial<Tool> = {}, server = "one", tags: Array<string> = []) =>
  new CatalogTool(server, { name, inputSchema: { type: "object" }, ...extra }, tags)

const tools = [
  made("create_issue", { description: "Opens an issue in a repository." }),
  made("listIssues", { title: "List issues" }),
  made("get_weather", { description: "The weather of a place, in °C." }, "two", ["nature"]),
  made("Größe_ändern", { description: "Changes the size of a picture." }, "two", [
    "images",
    "nature",
  ]),
  made("搜索文件", { description: "在仓库中搜索文件" }, "three"),
]

const found = (query: string, options?: SearchOptions) =>
  search(tools, query, options).map(({ tool }) => tool.tool.name)

describe("searching tools", () => {
  it.each([
    ["issue", ["create_issue", "listIssues"]],
    ["issues", ["listIssues"]],
    ["create issue", ["create_issue", "listIssues"]],
    ["ISSUES list", ["listIssues"]],
    ["weath", ["get_weather"]],
    ["groesse", []],
    ["grosse andern", ["Größe_ändern"]],
    ["GRÖSSE", ["Größe_ändern"]],
    ["listissues", ["listIssues"]],
    ["搜索", ["搜索文件"]],
    ["picture size", ["Größe_ändern"]],
    ["nothing of this kind", ["get_weather", "Größe_ändern"]],
    ["…", ["create_issue", "listIssues", "get_weather", "Größe_ändern", "搜索文件"]],
  ])("%j finds %j", (query, names) => {
    expect(found(query)).toEqual(names)
  })

  it("keeps to tags, servers and a limit", () => {
    expect(found("", { limit: 2 })).toEqual(["create_issue", "listIssues"])
    expect(found("", { servers: ["two"] })).toEqual(["get_weather", "Größe_ändern"])
    expect(found("", { tags: ["nature", "images"] })).toEqual(["Größe_ändern"])
    expect(found("issue", { servers: ["two"] })).toEqual([])
  })

  it("gives the same for the same, and takes any text", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (name, query) => {
        const many = [...tools, made(name, { description: query, title: name })]
        expect(search(many, query)).toEqual(search(many, query))
        for (const word of foldedWords(name)) {
          expect(search(many, word).some(({ tool }) => tool.tool.name === name)).toBe(true)
        }
      }),
    )
  })

  it("is not held up by what a server writes into its tools", () => {
    const long = made("a".repeat(1_000_000), { description: "\u{FDFA}".repeat(1_000_000) })
    expect(search([long], "a").map(({ tool }) => tool)).toEqual([long])
  })
})

describe("the nearest of some ids", () => {
  it("are those that few edits lead to", () => {
    const ids = ["github__create_issue", "github__close_issue", "files__read", "files__write"]
    expect(nearest("github__create_isue", ids)[0]).toBe("github__create_issue")
    expect(nearest("files_read", ids)[0]).toBe("files__read")
    expect(nearest("something else entirely", ids)).toEqual([])
    expect(nearest("", ids)).toEqual([])
  })

  it("do not take long, however many and long they are", () => {
    const many = Array.from({ length: 200_000 }, (_, index) => `server__tool_${index}`)
    expect(nearest("x".repeat(1_000_000), many)).toEqual([])
    expect(nearest("server__tool_5", many)[0]).toBe("server__tool_5")
  })
})
