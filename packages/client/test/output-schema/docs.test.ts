import { readFileSync, readdirSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { expect, it } from "vitest"
import { outputSchemaLimits, schemaDialects } from "@entente/client"
import { dialectOf } from "../../src/output-schema/dialect.js"

const root = fileURLToPath(new URL("../../../../", import.meta.url))
const page = readFileSync(join(root, "docs/output-schemas.md"), "utf8")

const rows = (heading: string): ReadonlyArray<ReadonlyArray<string>> => {
  const [, section = ""] = page.split(`## ${heading}\n`)
  const [table = ""] = section.split("\n## ")
  return [...table.matchAll(/^\| (`.+) \|$/gm)].map(([, row = ""]) => row.split(" | "))
}

it("V26-SCHEMA-03 V25-META-07 the dialects that are understood are documented, with their names", () => {
  const documented = rows("Dialects")
  expect(documented.map(([dialect]) => dialect)).toEqual(
    schemaDialects.map((name) => `\`${name}\``),
  )
  for (const [dialect, declared = ""] of documented) {
    const $schema = /`(http[^`]+)`/.exec(declared)?.[1]
    expect(`\`${dialectOf({ $schema })}\``).toBe(dialect)
  }
})

it("V26-SCHEMA-06 the limits are documented, as they are", () => {
  const documented = rows("Limits").map(([name = "", value = ""]) => [
    name.replaceAll("`", ""),
    Number(value.replaceAll(",", "")),
  ])
  expect(Object.fromEntries(documented)).toEqual(outputSchemaLimits)
})

/** What is loaded with a file: what it imports by name, and so on. */
const loadedWith = (file: string, seen = new Set<string>()): ReadonlySet<string> => {
  if (seen.has(file)) return seen
  seen.add(file)
  const source = readFileSync(file, "utf8")
  for (const [, clause = "", from = ""] of source.matchAll(
    /^(?:import|export) ([^"]*?)from "([^"]+)"/gm,
  )) {
    if (clause.startsWith("type ")) continue
    if (from.startsWith(".")) loadedWith(join(dirname(file), from.replace(/\.js$/, ".ts")), seen)
    else seen.add(from)
  }
  return seen
}

it("what validates is loaded with the first schema, and not with the package", () => {
  const source = join(root, "packages/client/src")
  const loaded = loadedWith(join(source, "index.ts"))
  const lazy = loadedWith(join(source, "output-schema/compile.ts"))
  const isAjv = (name: string) => name.startsWith("ajv")
  expect([...lazy].filter(isAjv)).toEqual(["ajv/dist/2020.js"])
  expect([...loaded].filter(isAjv)).toEqual([])
  // Otherwise it would have looked at nothing.
  expect(loaded.size).toBeGreaterThan(50)
  expect(readdirSync(join(source, "output-schema")).length).toBeGreaterThan(5)
})
