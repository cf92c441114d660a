import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { clientCauseCodes, clientCauses, exposure, type ClientView } from "../../src/index.js"

const readme = readFileSync(new URL("../../README.md", import.meta.url), "utf8")

describe("What a client hides, in the README", () => {
  it("is what the functions return", () => {
    const view: ClientView = {
      kind: "codex",
      title: "Codex",
      server: "files",
      allow: { names: ["read-file"], where: "enabled_tools in ~/.codex/config.toml (line 4)" },
      troubles: [],
    }
    const offered = ["read_file", "write_file"]
    expect(exposure(view, offered).nearMisses).toEqual([{ name: "read-file", meant: "read_file" }])
    expect(clientCauses(view, offered).map(({ code }) => code)).toEqual([
      "allow-list-leaves-nothing",
      "filter-names-nothing",
    ])
    expect(readme).toContain('["allow-list-leaves-nothing", "filter-names-nothing"]')
  })

  it("has every cause", () => {
    for (const code of clientCauseCodes) expect(readme).toContain(`| \`${code}\` |`)
  })
})
