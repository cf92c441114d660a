import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import * as fc from "fast-check"
import { afterEach, beforeEach, describe, expect, it } from "vitest"
import { clientKinds, entryMembers, hiding, readHiding } from "../../src/config/index.js"
import { applyRule, nodeAt } from "../../src/config/hiding/apply-rule.js"
import { readDocument } from "../../src/config/document/read-document.js"
import { jsonWithComments } from "../../src/config/client/shape.js"

let root: string
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "entente-hiding-"))
})
afterEach(() => rm(root, { recursive: true, force: true }))

const write = async (path: string, text: string): Promise<string> => {
  const whole = join(root, path)
  await mkdir(dirname(whole), { recursive: true })
  await writeFile(whole, text)
  return whole
}

const around = (env: Readonly<Record<string, string>> = {}) =>
  ({ platform: "linux", home: join(root, "home"), cwd: join(root, "work"), env }) as const

describe("readHiding", () => {
  it("says nothing of a client without files, and asks for an approval only where there is such a thing", () => {
    for (const kind of clientKinds) {
      const { of, faults } = readHiding(kind, around())
      expect(faults).toEqual([])
      expect(of({ server: "a", scope: "user" })).toEqual([])
      const needs = kind === "claude-code" || kind === "codex"
      expect(of({ server: "a", scope: "project" }).map(({ kind: what }) => what)).toEqual(
        needs ? ["not-approved"] : [],
      )
    }
  })

  it("names the member, the file and the line", async () => {
    const path = await write(
      "work/.claude/settings.json",
      '{\n  "permissions": {\n    "deny": ["mcp__a__b"]\n  }\n}\n',
    )
    expect(readHiding("claude-code", around()).of({ server: "a", scope: "user" })).toEqual([
      {
        kind: "deny",
        member: "permissions.deny",
        path,
        line: 3,
        names: ["b"],
        patterns: [],
        prefix: "mcp__a__",
        except: [],
      },
    ])
  })

  it("looks where a variable leads it, and no longer where it looks otherwise", async () => {
    await write("home/.claude/settings.json", '{"permissions":{"deny":["mcp__a"]}}')
    await write("other/settings.json", '{"permissions":{"deny":["mcp__a__c"]}}')
    const found = (env?: Readonly<Record<string, string>>) =>
      readHiding("claude-code", around(env))
        .of({ server: "a", scope: "user" })
        .map((one) => ("patterns" in one ? [...one.names, ...one.patterns] : one.kind))
    expect(found()).toEqual([["mcp__a__*"]])
    expect(found({ CLAUDE_CONFIG_DIR: join(root, "other") })).toEqual([["c"]])
  })

  it("tells of a file that is there and cannot be read, without a word of it", async () => {
    await write("work/.vscode/settings.json", '{ "secret-Q0Z": ')
    expect(readHiding("vscode", around()).faults).toMatchObject([
      { code: "unreadable", client: "vscode" },
    ])
    expect(JSON.stringify(readHiding("vscode", around()).faults)).not.toContain("Q0Z")
  })

  it("knows the names of servers in tools as clients write them", async () => {
    await write("work/opencode.json", '{"tools":{"my_server_*":false}}')
    expect(
      readHiding("opencode", around()).of({ server: "my server", scope: "project" }),
    ).toMatchObject([{ kind: "deny", patterns: ["my_server_*"], prefix: "my_server_" }])
  })
})

describe("the table", () => {
  it.each(clientKinds)("has a year for the cap of %s, and full sentences", (kind) => {
    const { cap = { source: "none in 2026" }, unseen = "It is seen." } = hiding[kind]
    expect(cap.source).toMatch(/20\d\d/)
    expect(unseen).toMatch(/^[A-Z].*\.$/)
  })
})

describe("any file", () => {
  it("breaks no rule", () => {
    const rules = Object.values(hiding)
      .flatMap(({ places = [] }) => places)
      .flatMap((place) => place.rules)
    const leaf = fc.oneof(
      fc.string(),
      fc.constantFrom("a", "mcp__a", "*", "none"),
      fc.boolean(),
      fc.integer(),
    )
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 3 },
        leaf,
        fc.array(tie("value"), { maxLength: 4 }),
        fc.dictionary(fc.constantFrom("__proto__", "a", "mcp_a_*", "serverName"), tie("value")),
      ),
    }))
    fc.assert(
      fc.property(fc.constantFrom(...rules), value, (rule, content) => {
        const asked = { server: "a", scope: "project", cwd: "/work" } as const
        const nested = rule.at.reduceRight<unknown>(
          (inner, name) => ({ [name.replace("{cwd}", "/work").replace("{server}", "a")]: inner }),
          content,
        )
        const { root: document } = readDocument(JSON.stringify(nested), jsonWithComments)
        const node = nodeAt(document, rule.at, asked)
        expect(node).toBeDefined()
        if (node !== undefined) applyRule(rule, node, asked)
      }),
      { numRuns: 1_000 },
    )
  })
})

describe("entryMembers", () => {
  it("finds the first of some members and its line, in each format", () => {
    const json = '{\n  "mcpServers": {\n    "a/b": {\n      "excludeTools": []\n    }\n  }\n}'
    expect(
      entryMembers(json, "gemini")("/mcpServers/a~1b", ["includeTools", "excludeTools"]),
    ).toEqual({ member: "excludeTools", line: 4 })
    const toml = '[mcp_servers.a]\ncommand = "a"\nenabled = false\n'
    expect(entryMembers(toml, "codex")("/mcp_servers/a", ["enabled"])).toEqual({
      member: "enabled",
      line: 1,
    })
    expect(entryMembers(toml, "codex")("/mcp_servers/b", ["enabled"])).toBeUndefined()
    expect(entryMembers("{", "gemini")("/a", ["b"])).toBeUndefined()
  })
})
