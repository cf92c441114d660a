import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, describe, expect, it } from "vitest"
import { record, show, target } from "./readme-example.js"

const folder = mkdtempSync(join(tmpdir(), "trace-"))
afterAll(() => rmSync(folder, { recursive: true }))

describe("the README", () => {
  it("shows the example that runs here", () => {
    const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8")
    const example = readFileSync(new URL("readme-example.ts", import.meta.url), "utf8")
    expect(readme).toContain(`\`\`\`ts\n${example}\`\`\``)
  })

  it("records without secrets, and reads back", async () => {
    const path = join(folder, "trace.jsonl")
    const { last, dropped } = await record(path)
    expect(dropped).toBe(1)
    expect(last.map((event) => event.seq)).toEqual([1, 2])
    const shown = await show(path)
    expect(shown).toHaveLength(3)
    expect(shown.join("\n")).not.toMatch(/abc|acme|pass/)
    expect(shown[1]).toContain("API_KEY=‹redacted›")
  })

  it("names a server without its secrets", () => {
    expect(target("https://u:p@h/mcp", "npx", ["server", "--token", "abc"])).toBe(
      "https://‹redacted›@h/mcp or npx server --token ‹redacted›",
    )
  })
})
