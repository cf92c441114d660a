import { readFile } from "node:fs/promises"
import { describe, expect, it } from "vitest"

/** Every module that a file imports when it is loaded, with those that these import; packages by name. */
const loadedBy = async (file: URL, seen = new Set<string>()): Promise<ReadonlySet<string>> => {
  if (seen.has(file.href)) return seen
  seen.add(file.href)
  const source = await readFile(file, "utf8")
  for (const [whole, specifier = ""] of source.matchAll(
    /^(?:import|export|\}) .*from "([^"]+)"$/gm,
  )) {
    if (whole.startsWith("import type") || whole.startsWith("export type")) continue
    if (!specifier.startsWith(".")) seen.add(specifier)
    else await loadedBy(new URL(specifier.replace(/\.js$/, ".ts"), file), seen)
  }
  return seen
}

describe("@entente/charts", () => {
  it("loads nothing that lays out pictures; only its subpath /svg does", async () => {
    const root = await loadedBy(new URL("../src/index.ts", import.meta.url))
    const svg = await loadedBy(new URL("../src/svg/index.ts", import.meta.url))
    const elk = (modules: ReadonlySet<string>) =>
      [...modules].filter((name) => name.startsWith("elkjs"))
    expect(elk(root)).toEqual([])
    expect(elk(svg)).toEqual(["elkjs/lib/elk.bundled.js"])
  })
})
