import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { clientKinds, clients, hiding } from "../../src/config/index.js"

const page = readFileSync(new URL("../../../../docs/config-files.md", import.meta.url), "utf8")

const rows = page.split("\n").filter((line) => line.startsWith("| "))

describe("docs/config-files.md", () => {
  it.each(clientKinds)("has the files, the root and the members of %s", (kind) => {
    const { title, roots, members, urls, remote } = clients[kind]
    const own = rows.filter((line) => line.startsWith(`| ${title} |`)).join("\n")
    expect(own).toContain(`\`${kind}\``)
    expect(own).toContain(`\`${roots[0]?.at(-1)}`)
    const named = [
      ...(members.allow ?? []).slice(0, 1),
      ...(members.deny ?? []).slice(0, 1),
      ...(members.timeout?.names ?? []),
      ...(remote === "ignored" ? [] : Object.keys(urls).slice(0, 1)),
    ]
    for (const name of named) expect(own).toContain(`\`${name}\``)
  })

  it.each(clientKinds)("has what keeps the tools of %s away", (kind) => {
    const { title, members } = clients[kind]
    const { cap, places = [], unseen } = hiding[kind]
    const section = page.slice(
      page.indexOf("## What keeps tools away"),
      page.indexOf("## References"),
    )
    const row = section.split("\n").find((line) => line.startsWith(`| ${title} |`)) ?? ""
    const [, , own = "", elsewhere = "", most = "", notSeen = ""] = row.split("|")
    const named = [members.allow, members.deny, members.disabled, members.enabled]
    expect([...own.matchAll(/`([^`]+)`/g)].map(([, name]) => name)).toEqual(
      named.flatMap((names) => names?.slice(0, 1) ?? []),
    )
    for (const { at } of places.flatMap(({ rules }) => rules)) {
      const member = at.filter((name) => !name.startsWith("{")).join(".")
      expect(elsewhere).toContain(`\`${at.includes("{cwd}") ? (at.at(-1) ?? "") : member}\``)
    }
    // OpenCode's files are those of its servers, which the first table has.
    const files = kind === "opencode" ? [] : places.flatMap((place) => place.files)
    for (const { path } of files) expect(elsewhere).toContain(path.split("/").at(-1))
    expect(most).toMatch(cap === undefined ? /unknown|none/ : new RegExp(`\\b${cap.limit}\\b`))
    expect(notSeen).toMatch(unseen === undefined ? /./ : /program|database|settings/)
  })

  it.each(clientKinds.filter((kind) => clients[kind].expansion.syntaxes.length > 0))(
    "has the references of %s",
    (kind) => {
      const { title, expansion } = clients[kind]
      const own = rows.filter((line) => line.startsWith(`| ${title} |`)).at(-1) ?? ""
      // VS Code reads what the row above it does.
      const above = own.includes("the same") ? rows[rows.indexOf(own) - 1] : ""
      for (const syntax of expansion.syntaxes) expect(`${above}${own}`).toContain(`\`${syntax}\``)
    },
  )
})
