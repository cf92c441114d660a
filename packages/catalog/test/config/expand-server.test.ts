import * as Redacted from "effect/Redacted"
import { describe, expect, it } from "vitest"
import {
  expandServer,
  readConfig,
  type ClientKind,
  type Expanded,
  type ExpandOptions,
} from "../../src/config/index.js"

const around: ExpandOptions = {
  platform: "linux",
  home: "/home/me",
  cwd: "/work/project",
  env: { SET: "value", EMPTY: "", LOOP: "${SET} $SET ${env:SET}" },
}

const reveal = (text: Expanded): string => (typeof text === "string" ? text : Redacted.value(text))

const expand = (client: ClientKind, text: string, options: Partial<ExpandOptions> = {}) => {
  const { servers, faults } = readConfig(text, { client })
  const [server] = servers
  if (server === undefined) throw new Error(JSON.stringify(faults))
  return expandServer(server, { ...around, ...options })
}

const json = (entry: object) => JSON.stringify({ mcpServers: { a: entry }, servers: { a: entry } })

/** What an argument becomes, and what is said about it. */
const argument = (client: ClientKind, text: string, options?: Partial<ExpandOptions>) => {
  const entry =
    client === "opencode" ? { type: "local", command: ["x", text] } : { command: "x", args: [text] }
  const whole = client === "opencode" ? JSON.stringify({ mcp: { a: entry } }) : json(entry)
  const { server, findings } = expand(client, whole, options)
  return {
    value: server?.kind === "local" ? server.args.map(reveal)[0] : undefined,
    codes: findings.map(({ code }) => code),
  }
}

describe("references", () => {
  it.each<[ClientKind, string, string]>([
    ["claude-code", "a ${SET} b", "a value b"],
    ["claude-code", "${NONE:-other}", "other"],
    ["claude-code", "${EMPTY:-other}", "other"],
    ["claude-code", "${NONE:-}", ""],
    ["claude-code", "$SET ${env:SET}", "$SET ${env:SET}"],
    ["cursor", "${env:SET} ${userHome} ${workspaceFolder}", "value /home/me /work/project"],
    ["cursor", "${workspaceFolderBasename}${pathSeparator}${/}", "project//"],
    ["cursor", "${SET}", "${SET}"],
    ["vscode", "${env:SET}${workspaceFolder}", "value/work/project"],
    ["windsurf", "${env:SET}", "value"],
    ["gemini", "$SET ${SET} ${NONE:-d} $5", "value value d $5"],
    ["opencode", "{env:SET}", "value"],
    ["mcporter", "$env:SET", "value"],
    ["mcporter", "x $env:SET", "x $env:SET"],
    ["claude-desktop", "${SET} $SET ${env:SET}", "${SET} $SET ${env:SET}"],
    ["plain", "${SET} ${env:SET} ${NONE:-d}", "value value d"],
  ])("%s makes of %s: %s", (client, text, expected) => {
    expect(argument(client, text)).toEqual({ value: expected, codes: [] })
  })

  it.each<[ClientKind, string, string | undefined]>([
    ["claude-code", "${NONE}", "${NONE}"],
    ["gemini", "$NONE", "${NONE}"],
    ["cursor", "${env:NONE}", "${env:NONE}"],
    ["vscode", "${env:NONE}", ""],
    ["opencode", "{env:NONE}", ""],
    ["mcporter", "${NONE}", undefined],
    ["plain", "${NONE}", undefined],
  ])("%s, where a variable is not set, makes of %s: %s", (client, text, expected) => {
    expect(argument(client, text)).toEqual({ value: expected, codes: ["variable-unset"] })
  })

  it("are replaced once: a value that looks like one stays what it is", () => {
    expect(argument("claude-code", "${LOOP}").value).toBe("${SET} $SET ${env:SET}")
    expect(argument("gemini", "$LOOP").value).toBe("${SET} $SET ${env:SET}")
    expect(argument("claude-code", "${NONE:-${SET}").value).toBe("${SET")
  })

  it("inside a default are left alone, with a warning", () => {
    const text = json({ command: "x", args: ["${A:-${B}}"] })
    const { faults } = readConfig(text, { client: "claude-code" })
    expect(faults).toMatchObject([{ code: "nested-default" }])
    expect(argument("claude-code", "${NONE:-${SET}}").value).toBe("${SET}")
  })

  it("find variables as Windows does", () => {
    const windows = { platform: "win32", env: { Path: "C:\\bin" } } as const
    expect(argument("claude-code", "${PATH}", windows).value).toBe("C:\\bin")
    expect(argument("cursor", "${pathSeparator}", windows).value).toBe("\\")
  })

  it("to variables of Codex leave out what is not set", () => {
    const text =
      '[mcp_servers.a]\nurl = "https://x/mcp"\nenv_http_headers = { A = "SET", B = "NONE" }\n'
    const { server, findings } = expand("codex", text)
    expect(server?.kind === "remote" ? Object.keys(server.headers) : []).toEqual(["A"])
    expect(findings).toMatchObject([{ code: "variable-unset" }])
  })
})

describe("what comes from outside the file", () => {
  it("is redacted, and what does not is not", () => {
    const entry = { command: "x", args: ["${env:SET}", "${userHome}", "plain"], env: { A: "b" } }
    const { server } = expand("cursor", json(entry))
    if (server?.kind !== "local") throw new Error("no program")
    expect(server.args.map((one) => Redacted.isRedacted(one))).toEqual([true, false, false])
    expect(server.env["A"]).toSatisfy(Redacted.isRedacted)
  })

  it("may be the answer of a person; without one the input is named", () => {
    const entry = { url: "https://x/mcp", headers: { K: "k ${input:key}" } }
    const inputs = new Map([["key", Redacted.make("answer")]])
    const { server } = expand("vscode", json(entry), { inputs })
    expect(server?.kind === "remote" && reveal(server.headers["K"] ?? "")).toBe("k answer")
    const none = expand("vscode", json(entry))
    expect(none.server).toBeUndefined()
    expect(none.findings).toMatchObject([
      { code: "input-missing", server: "a", message: "Nobody has given the input key." },
    ])
  })

  it("may be a file of variables, which those of the entry win over", () => {
    const entry = { command: "x", env: { A: "entry" }, envFile: "${workspaceFolder}/.env" }
    const file =
      "# comment\nexport A=file\nB=\"two\\nlines\" # more\nC='as it is'\nD=plain # note\nnonsense\n"
    const asked: Array<string> = []
    const readFile = (path: string) => (asked.push(path), file)
    const { server } = expand("cursor", json(entry), { readFile })
    const env = server?.kind === "local" ? server.env : {}
    expect(
      Object.fromEntries(Object.entries(env).map(([name, one]) => [name, reveal(one)])),
    ).toEqual({
      A: "entry",
      B: "two\nlines",
      C: "as it is",
      D: "plain",
    })
    expect(asked).toEqual(["/work/project/.env"])
    const missing = expand("cursor", json(entry))
    expect(missing.server).toBeUndefined()
    expect(missing.findings).toMatchObject([{ code: "file-unreadable" }])
  })

  it("may be a file that is a value", () => {
    const entry = { serverUrl: "https://x/mcp", headers: { K: "${file:/run/key}" } }
    const { server } = expand("windsurf", json(entry), { readFile: () => "secret\n" })
    expect(server?.kind === "remote" && reveal(server.headers["K"] ?? "")).toBe("secret")
  })

  it.each([
    ["a header", { url: "https://x/mcp", headers: { K: "${BAD}" } }, "invalid-header"],
    ["an address", { url: "${BAD}" }, "invalid-url"],
    ["an argument", { command: "x", args: ["${NUL}"] }, "invalid-value"],
    ["a variable", { command: "x", env: { A: "${NUL}" } }, "invalid-value"],
  ])("is refused where it cannot be %s, without being repeated", (_, entry, code) => {
    const env = { BAD: "one\r\nInjected: two", NUL: "one\0two" }
    const { server, findings } = expand("plain", json(entry), { env })
    expect(server).toBeUndefined()
    expect(findings).toMatchObject([{ code, severity: "error" }])
    expect(JSON.stringify(findings)).not.toMatch(/Injected|two/)
  })
})
