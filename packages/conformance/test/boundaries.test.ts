import { describe, expect, it } from "vitest"
import { findViolations, readFiles, table } from "../../../scripts/boundaries.mjs"

/** A package that imports everything it may. */
const packageFiles = (name: string, targets: ReadonlyArray<string>): Array<[string, string]> => {
  const anywhere = targets.filter((target) => !target.includes(" "))
  const manifest = {
    name: `@entente/${name}`,
    exports: { ".": { "@entente/source": "./src/index.ts", default: "./dist/index.js" } },
    dependencies: Object.fromEntries(
      [...targets.map((target) => `@entente/${target.split(" ")[0]}`), "effect"].map((to) => [
        to,
        "*",
      ]),
    ),
  }
  const imports = anywhere.map((target) => `import "@entente/${target}"`)
  return [
    [`packages/${name}/package.json`, JSON.stringify(manifest)],
    [
      `packages/${name}/src/index.ts`,
      [...imports, 'import * as Effect from "effect/Effect"', 'import "./one.js"'].join("\n"),
    ],
    [`packages/${name}/src/one.ts`, "export const one = 1"],
  ]
}

/** A small house in which every arrow of the table is used and none is missing. */
const soundRepository = (): Map<string, string> => {
  const files = new Map(
    Object.entries(table.arrows).flatMap(([name, targets]) => packageFiles(name, targets)),
  )
  files.set(
    "packages/transport/src/stdio/index.ts",
    'import "@entente/session"\nimport "node:child_process"',
  )
  const arrows = Object.entries(table.arrows).map(
    ([name, targets]) => `${name} ─► ${targets.length === 0 ? "(none)" : targets.join(", ")}`,
  )
  const page = ["`other ─► protocol` is an arrow in a sentence.", "```text", ...arrows, "```"]
  files.set("docs/architecture.md", page.join("\n"))
  return files
}

/** The sound house with text added to, or a change made in, some files. */
const withChanges = (changes: Record<string, (text: string) => string>): Map<string, string> => {
  const files = soundRepository()
  for (const [path, change] of Object.entries(changes)) {
    files.set(path, change(files.get(path) ?? ""))
  }
  return files
}

const adding = (line: string) => (text: string) => `${line}\n${text}`

const messages = (files: ReadonlyMap<string, string>): ReadonlyArray<string> =>
  findViolations(files, table).map(({ file, line, message }) => `${file}:${line} ${message}`)

const first = (changes: Record<string, (text: string) => string>): string | undefined =>
  messages(withChanges(changes))[0]

describe("boundaries", () => {
  it("finds nothing in a house where each arrow is allowed", () => {
    expect(messages(soundRepository())).toEqual([])
  })

  it.each(Object.keys(table.arrows))("names each package that %s must not import", (name) => {
    const allowed = table.arrows[name] ?? []
    const others = Object.keys(table.arrows).filter(
      (other) => other !== name && !allowed.includes(other),
    )
    for (const other of others) {
      const path = `packages/${name}/src/one.ts`
      expect(first({ [path]: adding(`import "@entente/${other}"`) })).toMatch(
        new RegExp(`^${path}:1 ${name} (must not import|may import) ${other}`),
      )
    }
  })

  it("lets transport import session only from src/stdio", () => {
    const path = "packages/transport/src/one.ts"
    expect(first({ [path]: adding('import "@entente/session"') })).toBe(
      `${path}:1 transport may import session only from src/stdio`,
    )
  })

  it("asks for a line in the table when a package is new", () => {
    const path = "packages/drawer/src/index.ts"
    const files = withChanges({
      "packages/drawer/package.json": () => '{ "name": "@entente/drawer" }',
      [path]: () => 'import "./two.js"',
      "packages/drawer/src/two.ts": () => "",
    })
    expect(messages(files)).toEqual([
      `${path}:1 package drawer is not in scripts/boundaries/table.json`,
    ])
  })

  it.each(["src", "test"])("forbids reaching into another package from %s", (folder) => {
    const path = `packages/client/${folder}/two.ts`
    expect(first({ [path]: () => '\nimport { one } from "../../session/src/one.js"' })).toBe(
      `${path}:2 reaches into packages/session/src/one.ts; import the package by its name`,
    )
  })

  it("forbids a source file outside of packages", () => {
    const path = "packages/client/src/one.ts"
    expect(first({ [path]: adding('import "../../../scripts/run.js"') })).toContain(
      "reaches out of its package",
    )
  })

  it("allows only the subpaths a package exports", () => {
    const path = "packages/client/src/one.ts"
    expect(first({ [path]: adding('export { a } from "@entente/session/inner"') })).toBe(
      `${path}:1 @entente/session/inner is private: "./inner" is not in its exports`,
    )
  })

  it("says when an import leads nowhere", () => {
    expect(first({ "packages/client/src/one.ts": adding('import "./gone.js"') })).toContain(
      "./gone.js leads nowhere: no file packages/client/src/gone.ts",
    )
  })

  it.each([
    'import { Effect } from "effect"',
    'import type { Effect } from "effect"',
    'export * from "effect"',
    'const effect = await import("effect")',
  ])("forbids the barrel: %s", (line) => {
    const path = "packages/client/src/one.ts"
    expect(first({ [path]: adding(line) })).toBe(
      `${path}:1 imports all of effect; import the module`,
    )
  })

  it.each(table.browserEntries)("keeps Node out of the browser entry of %s", (name) => {
    const path = `packages/${name}/src/one.ts`
    expect(first({ [path]: adding('import { readFile } from "node:fs/promises"') })).toContain(
      `${path}:1 node:fs/promises is reached by the browser entry of`,
    )
  })

  it("follows a browser entry through other packages and shows the way", () => {
    const violations = messages(withChanges({ "packages/trace/src/one.ts": adding('import "fs"') }))
    expect(violations).toContain(
      "packages/trace/src/one.ts:1 fs is reached by the browser entry of client: " +
        "packages/client/src/index.ts → packages/trace/src/index.ts → packages/trace/src/one.ts",
    )
  })

  const inner = (browser: string) => ({
    "packages/transport/package.json": (text: string) =>
      JSON.stringify({
        ...(JSON.parse(text) as object),
        imports: { "#fetch": { node: "./dist/on-node.js", browser, default: browser } },
      }),
    "packages/transport/src/one.ts": adding('import "#fetch"'),
    "packages/transport/src/on-node.ts": () => 'import "node:http"',
    "packages/transport/src/on-web.ts": () => "export const web = true",
  })

  it("takes the browser's side of a package's own imports", () => {
    expect(messages(withChanges(inner("./dist/on-web.js")))).toEqual([])
    expect(first(inner("./dist/on-node.js"))).toContain(
      "packages/transport/src/on-node.ts:1 node:http is reached by the browser entry of transport",
    )
  })

  it("counts packages that need Node as Node", () => {
    const path = "packages/transport/src/one.ts"
    expect(first({ [path]: adding('import spawn from "cross-spawn"') })).toContain(
      "cross-spawn is reached by the browser entry of transport",
    )
  })

  it("finds a cycle of files, also of types only", () => {
    expect(
      first({
        "packages/client/src/one.ts": adding('import type { Two } from "./two.js"'),
        "packages/client/src/two.ts": () => 'export type { One } from "./one.js"',
      }),
    ).toBe(
      "packages/client/src/one.ts:1 is in an import cycle: packages/client/src/one.ts → " +
        "packages/client/src/two.ts → packages/client/src/one.ts",
    )
  })

  it("finds a cycle of packages", () => {
    const cyclic = { ...table, arrows: { ...table.arrows, protocol: ["session"] } }
    const files = withChanges({
      "packages/protocol/src/two.ts": () => 'import "@entente/session"',
    })
    expect(findViolations(files, cyclic).map(({ message }) => message)).toContain(
      "is in a cycle of packages: session → protocol → session",
    )
  })

  it("finds a dependency that is missing and one that is unused", () => {
    const path = "packages/client/src/one.ts"
    expect(first({ [path]: adding('import { createActor } from "xstate/actors"') })).toBe(
      `${path}:1 xstate is no dependency of client`,
    )
    const unused = (text: string): string => text.replace('"effect"', '"zod":"*","effect"')
    expect(first({ "packages/client/package.json": unused })).toBe(
      "packages/client/package.json:1 depends on zod, which src never imports",
    )
  })

  it.each([
    ["a line is missing", (text: string) => text.replace(/^session .*$/m, "")],
    ["a target is missing", (text: string) => text.replace("session ─► protocol", "session ─► ")],
    ["a target is too many", (text: string) => text.replace("session ─►", "session ─► trace,")],
    ["a remark is missing", (text: string) => text.replace(" (src/stdio only)", "")],
    [
      "a package is too many",
      (text: string) => text.replace("session ─►", "drawer ─► protocol\nsession ─►"),
    ],
    ["the page is empty", () => ""],
  ])("compares the page with the table: %s", (_, change) => {
    expect(first({ "docs/architecture.md": change })).toMatch(/^docs\/architecture\.md:\d+ /)
  })

  it("reads the real repository", () => {
    expect([...readFiles().keys()]).toContain("packages/client/src/index.ts")
  })
})
