import { readFile } from "node:fs/promises"
import { describe, expect, it } from "vitest"
import { charts } from "../src/index.js"
import { negotiateWithLegacyServer } from "./readme-example.js"

const read = (path: string): Promise<string> => readFile(new URL(path, import.meta.url), "utf8")

describe("the README", () => {
  it("shows the example that runs here", async () => {
    const source = await read("./readme-example.ts")
    const [, region = ""] = /\/\/ #region example\n([^]*?)\/\/ #endregion/.exec(source) ?? []
    const shown = region.replace('"../src/index.js"', '"@entente/session"')
    expect(shown).not.toBe("")
    expect(await read("../README.md")).toContain("```ts\n" + shown + "```")
  })

  it("whose example comes to the agreement it promises", async () => {
    expect(await negotiateWithLegacyServer()).toMatchObject({
      _tag: "Agreed",
      agreement: { era: "legacy", revision: "2025-11-25" },
    })
  })

  it("says what every chart guarantees", async () => {
    const readme = await read("../README.md")
    for (const name of Object.keys(charts)) expect(readme).toContain(`\n| \`${name}\` |`)
  })
})
