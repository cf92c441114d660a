import { describe, expect, it } from "vitest"
import { checkConfig, clientKinds, type ClientKind } from "../../src/config/index.js"
import { fixtures } from "./fixtures.js"

const check = (client: ClientKind, text: string, env?: Readonly<Record<string, string>>) =>
  checkConfig(text, {
    client,
    ...(env === undefined
      ? {}
      : { expand: { platform: "linux", home: "/home/me", cwd: "/work", env } }),
  }).findings

const said = (client: ClientKind, text: string, about: ClientKind = client) =>
  check(client, text)
    .filter((finding) => finding.client === about)
    .map(({ code, severity }) => `${severity} ${code}`)

const remote = (entry: object) =>
  JSON.stringify({ mcpServers: { a: { url: "https://a.example/mcp", ...entry } } })

describe("a file that is nobody's", () => {
  it("says what Gemini CLI, Claude Code, Claude Desktop and VS Code make of a bare url", () => {
    const text = remote({})
    expect(said("plain", text)).toEqual([])
    expect(said("plain", text, "gemini")).toEqual(["warning url-means-sse"])
    expect(said("plain", text, "claude-code")).toEqual(["warning type-missing"])
    expect(said("plain", text, "claude-desktop")).toEqual(["warning remote-ignored"])
    expect(said("plain", text, "antigravity")).toEqual(["warning member-of-another-client"])
    expect(said("plain", text, "vscode")).toEqual(["warning other-root"])
    expect(said("plain", text, "cursor")).toEqual([])
    expect(said("plain", text, "codex")).toEqual([])
  })

  it("says who leaves a reference as it is written, and who passes a member over", () => {
    const text = JSON.stringify({
      mcpServers: { a: { command: "a", env: { K: "${K}" }, envFile: ".env", disabled: true } },
    })
    expect(said("plain", text, "cursor")).toEqual([
      "warning left-literal",
      "warning member-not-read",
    ])
    expect(said("plain", text, "claude-code")).toEqual([
      "warning member-not-read",
      "warning member-not-read",
    ])
    expect(check("plain", text).map(({ message }) => message)).toContain(
      "Claude Code does not read envFile.",
    )
  })
})

describe("a file that has an owner", () => {
  it("has errors and warnings of its own, and notes for the others", () => {
    const findings = check("gemini", fixtures.gemini)
    expect(findings.filter(({ severity }) => severity !== "note")).toMatchObject([
      { code: "url-means-sse", client: "gemini", server: "old" },
    ])
    expect(said("gemini", fixtures.gemini, "cursor")).toContain("note comment")
  })

  it.each(clientKinds.filter((kind) => kind !== "claude-desktop" && kind !== "gemini"))(
    "%s: its fixture is fine for itself",
    (client) => {
      const own = check(client, fixtures[client]).filter((one) => one.client === client)
      expect(own.filter(({ severity }) => severity !== "note")).toEqual([])
    },
  )

  it("is told of secrets that are written down, but not of what they are", () => {
    const text = JSON.stringify({
      mcpServers: {
        a: { command: "a", args: ["--token", "Q0Zone"], env: { API_KEY: "Q0Ztwo", MODE: "fast" } },
        b: {
          type: "http",
          url: "https://b.example/?api_key=Q0Zthree",
          headers: { Authorization: "Bearer Q0Zfour" },
        },
      },
    })
    const open = check("claude-code", text).filter(({ code }) => code === "secret-in-the-open")
    expect(open.map(({ severity, message }) => `${severity}: ${message}`)).toEqual([
      "note: A secret is written into the file: API_KEY.",
      "note: A secret is written into the file: argument 2.",
      "note: A secret is written into the file: Authorization.",
      "note: A secret is written into the file: its address.",
    ])
    expect(JSON.stringify(open)).not.toContain("Q0Z")
  })

  it("is held against the environment, if there is one", () => {
    const text = '{"mcpServers":{"a":{"command":"a","env":{"K":"${K}"}}}}'
    expect(
      check("claude-code", text, { K: "set" }).filter(({ severity }) => severity === "warning"),
    ).toEqual([])
    expect(check("claude-code", text, {})).toContainEqual(
      expect.objectContaining({ code: "variable-unset", severity: "warning", server: "a" }),
    )
  })

  it("has to say what it asks for", () => {
    const text = '{"servers":{"a":{"command":"a","args":["${input:who}"]}}}'
    expect(check("vscode", text, {}).filter(({ client }) => client === "vscode")).toMatchObject([
      { code: "input-unknown", message: "The file does not say what the input who is." },
    ])
  })

  it("that cannot be read is not compared", () => {
    expect(check("cursor", "{")).toMatchObject([{ code: "syntax-error", client: "cursor" }])
  })
})
