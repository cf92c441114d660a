import * as Redacted from "effect/Redacted"
import { describe, expect, it } from "vitest"
import {
  clientKinds,
  readConfig,
  type ClientKind,
  type ServerConfig,
  type Template,
} from "../../src/config/index.js"
import { fixtures } from "./fixtures.js"

/** A template as it might be written, whatever the syntax. */
const plain = (template: Template | undefined): string =>
  (template ?? [])
    .map((part) => {
      switch (part.kind) {
        case "text":
          return part.text
        case "variable":
          return `<${part.name}${part.otherwise === undefined ? "" : ` or ${part.otherwise}`}>`
        case "input":
          return `<input ${part.id}>`
        case "file":
          return `<file ${part.path}>`
        case "place":
          return `<${part.place}>`
      }
    })
    .join("")

const revealed = (record: Readonly<Record<string, Redacted.Redacted<Template>>>) =>
  Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, plain(Redacted.value(value))]),
  )

/** What matters of a server, in words. */
const inWords = (server: ServerConfig) => {
  const { id, disabled, timeoutMs, allow, deny, extras } = server
  return {
    id,
    ...(server.kind === "local"
      ? {
          command: [server.command, ...server.args].map(plain).join(" "),
          env: revealed(server.env),
          ...(server.cwd === undefined ? {} : { cwd: plain(server.cwd) }),
          ...(server.envFile === undefined ? {} : { envFile: plain(server.envFile) }),
        }
      : {
          url: `${server.transport} ${plain(server.url)}`,
          headers: revealed(server.headers),
        }),
    ...(disabled ? { disabled } : {}),
    ...(timeoutMs === undefined ? {} : { timeoutMs }),
    ...(allow === undefined ? {} : { allow }),
    ...(deny.length === 0 ? {} : { deny }),
    ...(extras.length === 0 ? {} : { extras }),
  }
}

const read = (client: ClientKind, text = fixtures[client]) => readConfig(text, { client })
const words = (client: ClientKind, text?: string) => read(client, text).servers.map(inWords)
const codes = (client: ClientKind, text?: string) =>
  read(client, text).faults.map(({ code, server }) =>
    server === undefined ? code : `${code} ${server}`,
  )

const weather = "https://weather.example/mcp"

describe("what each client reads from its own file", () => {
  it("Claude Desktop: programs; an address is read with a fault, because it is ignored there", () => {
    expect(words("claude-desktop")).toEqual([
      {
        id: "files",
        command: "npx -y @modelcontextprotocol/server-filesystem /home/me/notes",
        env: { FILES_TOKEN: "plain-files-secret" },
      },
      { id: "weather", url: `auto ${weather}`, headers: {} },
    ])
    expect(codes("claude-desktop")).toEqual(["remote-ignored weather"])
  })

  it("Claude Code: http and sse, variables with defaults", () => {
    expect(words("claude-code")).toEqual([
      {
        id: "files",
        command: "npx -y some-files --root <FILES_ROOT or /srv>",
        env: { FILES_TOKEN: "<FILES_TOKEN>" },
      },
      {
        id: "weather",
        url: `streamable-http ${weather}`,
        headers: { Authorization: "Bearer <WEATHER_TOKEN>" },
      },
      { id: "old", url: "sse https://old.example/sse", headers: {} },
    ])
    expect(codes("claude-code")).toEqual([])
  })

  it("Cursor: its own syntax, places, a file of variables; what is not understood is named", () => {
    expect(words("cursor")).toEqual([
      {
        id: "files",
        command: "<userHome>/bin/files --root <workspaceFolder>",
        env: { FILES_TOKEN: "<FILES_TOKEN>" },
        envFile: "<workspaceFolder>/.env",
        extras: ["autoApprove"],
      },
      { id: "weather", url: `auto ${weather}`, headers: { "X-Key": "<WEATHER_TOKEN>" } },
    ])
    expect(codes("cursor")).toEqual([])
  })

  it("VS Code: servers, inputs, comments and trailing commas", () => {
    expect(words("vscode")).toEqual([
      {
        id: "files",
        command: "node files.js",
        env: { FILES_TOKEN: "<FILES_TOKEN>" },
        cwd: "<workspaceFolder>/tools",
        extras: ["dev"],
      },
      {
        id: "weather",
        url: `streamable-http ${weather}`,
        headers: { Authorization: "Bearer <input weather-key>" },
      },
    ])
    expect(read("vscode").inputs).toEqual([
      { id: "weather-key", description: "Weather key", password: true },
    ])
    expect(codes("vscode")).toEqual([])
  })

  it("Windsurf: serverUrl, files as values, a switch", () => {
    expect(words("windsurf")).toEqual([
      { id: "files", command: "files", env: { FILES_TOKEN: "<FILES_TOKEN>" }, deny: ["delete"] },
      { id: "weather", url: `auto ${weather}`, headers: { "X-Key": "<file ~/weather-key>" } },
      { id: "off", command: "off", env: {}, disabled: true },
    ])
  })

  it("Antigravity: serverUrl alone", () => {
    expect(words("antigravity")).toMatchObject([{ id: "files" }, { url: `auto ${weather}` }])
    const other = `{"mcpServers":{"a":{"url":"${weather}"}}}`
    expect(codes("antigravity", other)).toEqual(["member-of-another-client a"])
  })

  it("Gemini CLI: httpUrl is Streamable HTTP, url alone depends on the version", () => {
    expect(words("gemini")).toEqual([
      {
        id: "files",
        command: "files --root <FILES_ROOT>",
        env: { FILES_TOKEN: "<FILES_TOKEN>" },
        cwd: "./tools",
        timeoutMs: 15_000,
        allow: ["read", "list"],
        deny: ["list"],
        extras: ["trust"],
      },
      { id: "weather", url: `streamable-http ${weather}`, headers: {} },
      { id: "old", url: "auto https://old.example/sse", headers: {} },
    ])
    expect(codes("gemini")).toEqual(["url-means-sse old"])
    const typed = `{"mcpServers":{"a":{"url":"${weather}","type":"sse"}}}`
    expect(words("gemini", typed)).toMatchObject([{ url: `sse ${weather}` }])
    expect(codes("gemini", typed)).toEqual([])
  })

  it("Codex: TOML, names of variables, headers from variables, seconds", () => {
    expect(words("codex")).toEqual([
      {
        id: "files",
        command: "files --root /srv",
        env: { FILES_TOKEN: "<FILES_TOKEN>", FILES_MODE: "plain-files-secret" },
        timeoutMs: 45_000,
        allow: ["read"],
        extras: ["startup_timeout_sec"],
      },
      {
        id: "weather",
        url: `streamable-http ${weather}`,
        headers: {
          "X-Region": "eu",
          "X-Team": "<TEAM_KEY>",
          Authorization: "Bearer <WEATHER_TOKEN>",
        },
      },
      { id: "off", command: "off", env: {}, disabled: true },
    ])
    expect(read("codex").servers[1]?.from).toMatchObject({
      pointer: "/mcp_servers/weather",
      line: 12,
    })
  })

  it("Goose: YAML, what is no MCP server is passed over, an empty list allows all", () => {
    expect(words("goose")).toMatchObject([
      {
        id: "files",
        command: "files --root /srv",
        env: { FILES_TOKEN: "<FILES_TOKEN>", FILES_MODE: "plain-files-secret" },
        timeoutMs: 300_000,
      },
      {
        id: "weather",
        url: `streamable-http ${weather}`,
        headers: { Authorization: "Bearer <WEATHER_TOKEN>" },
        disabled: true,
      },
    ])
    expect(read("goose").servers[0]).toMatchObject({ allow: undefined })
    expect(codes("goose")).toEqual([])
  })

  it("Goose: the variables of an entry are those of its headers", () => {
    const text = `extensions:
  a:
    type: streamable_http
    uri: ${weather}
    envs: { KEY: one }
    headers: { X-Key: "$KEY \${KEY} \${OTHER}" }
`
    expect(words("goose", text)).toEqual([
      { id: "a", url: `streamable-http ${weather}`, headers: { "X-Key": "one one <OTHER>" } },
    ])
  })

  it("OpenCode: the command is one list, and a type is needed", () => {
    expect(words("opencode")).toEqual([
      {
        id: "files",
        command: "npx -y some-files",
        env: { FILES_TOKEN: "<FILES_TOKEN>" },
        timeoutMs: 9_000,
      },
      {
        id: "weather",
        url: `auto ${weather}`,
        headers: { Authorization: "Bearer <WEATHER_TOKEN>" },
        disabled: true,
      },
    ])
    expect(
      codes("opencode", '{"mcp":{"a":{"command":["x"]},"b":{"type":"local","command":"x"}}}'),
    ).toEqual(["type-missing a", "wrong-type b"])
  })

  it("Junie: addresses without a type; references stay as they are", () => {
    expect(words("junie")).toMatchObject([
      { command: "files --root /srv" },
      { url: `auto ${weather}`, headers: { "X-Region": "eu" } },
    ])
    const text = '{"mcpServers":{"a":{"command":"a","env":{"K":"${K}"}}}}'
    expect(words("junie", text)).toMatchObject([{ env: { K: "${K}" } }])
    expect(codes("junie", text)).toEqual(["left-literal a"])
  })

  it("mcporter: baseUrl, a command as a list, a token from a variable", () => {
    expect(words("mcporter")).toEqual([
      {
        id: "files",
        command: "npx -y some-files",
        env: { FILES_TOKEN: "<FILES_TOKEN>", MODE: "<MODE or fast>" },
        allow: ["read"],
      },
      {
        id: "weather",
        url: `auto ${weather}`,
        headers: { Authorization: "Bearer <WEATHER_TOKEN>" },
        extras: ["description"],
      },
    ])
  })

  it("an mcp.json of nobody: both roots, every name for an address, two syntaxes", () => {
    expect(words("plain")).toMatchObject([
      { env: { FILES_TOKEN: "<FILES_TOKEN>" } },
      { headers: { "X-Key": "<KEY>" } },
    ])
    expect(words("plain", `{"servers":{"a":{"serverUrl":"${weather}"}}}`)).toMatchObject([
      { url: `auto ${weather}` },
    ])
  })

  it("Claude Code: servers of one project in the user's file", () => {
    const text = `{"mcpServers":{"a":{"command":"user"},"b":{"command":"b"}},
      "projects":{"/work":{"mcpServers":{"a":{"command":"project"}}},"/else":{"mcpServers":{"c":{"command":"c"}}}}}`
    const { servers } = readConfig(text, { client: "claude-code", cwd: "/work" })
    expect(servers.map(inWords)).toMatchObject([
      { id: "a", command: "project" },
      { id: "b", command: "b" },
    ])
  })
})

describe("a server that is broken", () => {
  it.each<[string, string, string]>([
    ["is no object", "3", "not-an-object"],
    ["has nothing to reach", '{"args":["x"]}', "nothing-to-reach"],
    ["has a command and an address", `{"command":"x","url":"${weather}"}`, "both-kinds"],
    ["is of an unknown type", `{"type":"carrier-pigeon","url":"${weather}"}`, "unknown-type"],
    ["says stdio and has an address", `{"type":"stdio","url":"${weather}"}`, "type-contradicts"],
    ["says http and has a command", '{"type":"http","command":"x"}', "type-contradicts"],
    ["has no list of arguments", '{"command":"x","args":"y"}', "wrong-type"],
    ["has an argument that is no text", '{"command":"x","args":["y",{}]}', "wrong-type"],
    ["has an empty command", '{"command":" "}', "wrong-type"],
    ["has a list for variables", '{"command":"x","env":["A=b"]}', "wrong-type"],
    ["has a variable with a bad name", '{"command":"x","env":{"A=b":"c"}}', "invalid-variable"],
    ["has a NUL in a variable", '{"command":"x","env":{"A":"b\\u0000c"}}', "invalid-value"],
    ["has no web address", '{"url":"ftp://x/mcp"}', "invalid-url"],
    [
      "has a line break in a header",
      `{"url":"${weather}","headers":{"X":"a\\r\\nY: b"}}`,
      "invalid-header",
    ],
    [
      "has a header that is no header",
      `{"url":"${weather}","headers":{"X Y":"a"}}`,
      "invalid-header",
    ],
    ["has __proto__ for a variable", '{"command":"x","env":{"__proto__":"y"}}', "forbidden-name"],
    ["has a switch that is none", '{"command":"x","disabled":"yes"}', "wrong-type"],
  ])("%s: it is left out, and the one beside it is not", (_, entry, code) => {
    const text = `{"mcpServers":{"bad":${entry},"good":{"command":"good"}}}`
    const { servers, faults } = read("cursor", text)
    expect(servers.map(({ id }) => id)).toEqual(["good"])
    expect(faults).toMatchObject([{ code, server: "bad", severity: "error", line: 1 }])
    expect(faults[0]?.pointer).toMatch(/^\/mcpServers\/bad/)
  })

  it("takes numbers and booleans for texts, with a warning", () => {
    const text = '{"mcpServers":{"a":{"command":"a","env":{"PORT":80,"ON":true}}}}'
    expect(words("cursor", text)).toMatchObject([{ env: { PORT: "80", ON: "true" } }])
    expect(codes("cursor", text)).toEqual(["not-a-string a", "not-a-string a"])
  })

  it("never starts what is switched off, also where the client has no switch", () => {
    const text =
      '{"mcpServers":{"a":{"command":"a","disabled":true},"b":{"command":"b","enabled":false}}}'
    expect(words("cursor", text)).toMatchObject([{ disabled: true }, { disabled: true }])
    expect(codes("cursor", text)).toEqual(["member-not-read a", "member-not-read b"])
  })

  it("is usable, with an error, where only its client would refuse it", () => {
    const text = `{"mcpServers":{"a":{"url":"${weather}"}}}`
    const { servers, faults } = read("claude-code", text)
    expect(servers).toHaveLength(1)
    expect(faults).toMatchObject([{ code: "type-missing", severity: "error" }])
  })

  it("is not called __proto__, or nothing", () => {
    expect(
      codes("cursor", '{"mcpServers":{"__proto__":{"command":"x"},"":{"command":"x"}}}'),
    ).toEqual(["forbidden-name __proto__", "forbidden-name "])
  })
})

it.each(clientKinds)("%s: a fixture shows its place and no value of env or headers", (client) => {
  const { servers } = readConfig(fixtures[client], { client, path: `/x/${client}` })
  expect(servers.length).toBeGreaterThan(0)
  for (const { from } of servers) {
    expect(from).toMatchObject({ client, path: `/x/${client}`, line: expect.any(Number) })
  }
  expect(JSON.stringify(servers)).not.toContain("plain-files-secret")
})
