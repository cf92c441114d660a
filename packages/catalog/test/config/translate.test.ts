import * as Redacted from "effect/Redacted"
import * as fc from "fast-check"
import { parse as parseToml } from "smol-toml"
import { describe, expect, it } from "vitest"
import { parse as parseYaml } from "yaml"
import {
  clientKinds,
  readConfig,
  translate,
  type ClientKind,
  type ServerConfig,
  type Template,
} from "../../src/config/index.js"
import { fixtures } from "./fixtures.js"

const plain = (record: Readonly<Record<string, Redacted.Redacted<Template>>>) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, Redacted.value(value)]))

/** A server without its place, and without the difference between two ways to begin with Streamable HTTP. */
const model = (server: ServerConfig) => {
  const { from: _, extras: __, ...rest } = server
  return rest.kind === "local"
    ? { ...rest, env: plain(rest.env) }
    : {
        ...rest,
        headers: plain(rest.headers),
        transport: rest.transport === "sse" ? "sse" : "streamable",
      }
}

const read = (client: ClientKind, text: string = fixtures[client]) => readConfig(text, { client })

const said = (client: ClientKind, to: ClientKind, text?: string, copySecrets = false) => {
  const { text: written, findings } = translate(read(client, text), to, { copySecrets })
  return {
    written,
    findings: findings.map(({ code, server, message }) => `${server}: ${code}: ${message}`),
  }
}

const pairs = clientKinds.flatMap((from) => clientKinds.map((to) => [from, to] as const))

describe("a translation", () => {
  it.each(pairs)(
    "from %s to %s reads as the same model, or says what is not the same",
    (from, to) => {
      const source = read(from)
      const { text, findings } = translate(source, to, { copySecrets: true })
      const back = read(to, text)
      expect(
        back.faults.filter(({ code }) => code === "syntax-error" || code === "other-root"),
      ).toEqual([])
      for (const server of source.servers) {
        const found = back.servers.find(({ id }) => id === server.id)
        if (findings.some(({ server: named }) => named === server.id)) continue
        expect(found === undefined ? undefined : model(found)).toEqual(model(server))
      }
    },
  )

  it.each(clientKinds.filter((kind) => kind !== "claude-desktop"))(
    "from %s to itself loses nothing",
    (client) => {
      const source = read(client)
      const { text, findings } = translate(source, client, { copySecrets: true })
      expect(findings).toEqual([])
      expect(read(client, text).servers.map(model)).toEqual(source.servers.map(model))
    },
  )

  it("of any server, from any client to any other, keeps it or says so", () => {
    const word = fc.stringMatching(/^[a-z][a-z0-9-]{0,10}$/)
    const text = fc
      .string({ unit: "grapheme", minLength: 1, maxLength: 20 })
      .filter((one) => !/[\0${}]/.test(one) && one.trim() !== "")
    const local = fc.record({
      command: text,
      args: fc.array(text, { maxLength: 4 }),
      env: fc.dictionary(word, text, { maxKeys: 3 }),
    })
    const remote = fc.record({
      type: fc.constant("http"),
      url: word.map((host) => `https://${host}.example/mcp`),
      headers: fc.dictionary(word, word, { maxKeys: 3 }),
    })
    fc.assert(
      fc.property(
        fc.dictionary(word, fc.oneof(local, remote), { minKeys: 1, maxKeys: 4 }),
        fc.constantFrom(...clientKinds),
        (mcpServers, to) => {
          const source = readConfig(JSON.stringify({ mcpServers }), { client: "plain" })
          expect(source.servers).toHaveLength(Object.keys(mcpServers).length)
          const { text: written, findings } = translate(source, to, { copySecrets: true })
          const back = readConfig(written, { client: to })
          for (const server of source.servers) {
            if (findings.some(({ server: named }) => named === server.id)) continue
            const found = back.servers.find(({ id }) => id === server.id)
            expect(found === undefined ? back.faults : model(found)).toEqual(model(server))
          }
        },
      ),
      { numRuns: 300 },
    )
  })
})

describe("references", () => {
  const cursor = `{"mcpServers":{"a":{"command":"a","args":["\${userHome}/x","\${env:X}"],
    "env":{"TOKEN":"\${env:TOKEN}"}},
    "b":{"url":"https://b.example/mcp","headers":{"Authorization":"Bearer \${env:B_TOKEN}","X-Team":"\${env:TEAM}"}}}}`

  it("are written in the syntax of the other client", () => {
    expect(JSON.parse(said("cursor", "claude-code", cursor).written)).toEqual({
      mcpServers: {
        a: { type: "stdio", command: "a", args: ["${HOME}/x", "${X}"], env: { TOKEN: "${TOKEN}" } },
        b: {
          type: "http",
          url: "https://b.example/mcp",
          headers: { Authorization: "Bearer ${B_TOKEN}", "X-Team": "${TEAM}" },
        },
      },
    })
    expect(said("cursor", "claude-code", cursor).findings).toEqual([
      "a: not-expressible: In argument 1: no words for the user's folder: the variable HOME is read.",
    ])
  })

  it("become names of variables for Codex, where it has members for them", () => {
    const { written, findings } = said("cursor", "codex", cursor)
    expect(parseToml(written)).toEqual({
      mcp_servers: {
        a: { command: "a", args: ["${HOME}/x", "${X}"], env_vars: ["TOKEN"] },
        b: {
          url: "https://b.example/mcp",
          bearer_token_env_var: "B_TOKEN",
          env_http_headers: { "X-Team": "TEAM" },
        },
      },
    })
    expect(findings.every((one) => one.startsWith("a: not-expressible: In argument"))).toBe(true)
  })

  it("in headers of Goose are named beside them", () => {
    expect(parseYaml(said("cursor", "goose", cursor).written)).toMatchObject({
      extensions: {
        a: { type: "stdio", cmd: "a", env_keys: ["TOKEN"], enabled: true, name: "a" },
        b: {
          type: "streamable_http",
          uri: "https://b.example/mcp",
          headers: { Authorization: "Bearer ${B_TOKEN}" },
          env_keys: ["B_TOKEN", "TEAM"],
        },
      },
    })
  })

  it("to what a person is asked for go with their description, or become a variable", () => {
    expect(JSON.parse(said("vscode", "vscode").written)).toMatchObject({
      inputs: [{ id: "weather-key", description: "Weather key", password: true }],
      servers: { weather: { headers: { Authorization: "Bearer ${input:weather-key}" } } },
    })
    const { written, findings } = said("vscode", "claude-code")
    expect(written).toContain('"Bearer ${WEATHER_KEY}"')
    expect(findings).toContain(
      "weather: not-expressible: In the header Authorization: no words for asking for weather-key: the variable WEATHER_KEY is read.",
    )
  })

  it("that a client would see in literal text are told of", () => {
    const text = '{"mcpServers":{"a":{"command":"a","args":["${X}"]}}}'
    expect(said("claude-desktop", "claude-code", text).findings).toEqual([
      "a: would-expand: Claude Code would replace what is literal text in argument 1.",
    ])
    expect(said("claude-desktop", "cursor", text).findings).toEqual([])
  })
})

describe("what is written down", () => {
  const text = `{"mcpServers":{
    "my server":{"command":"a","args":["--api-key","Q0Z-argument","--mode=fast"],"env":{"TOKEN":"Q0Z-variable"}},
    "b":{"url":"https://u:Q0Z-password@b.example/mcp?api_key=Q0Z-query","headers":{"Authorization":"Bearer Q0Z-header","X-Mix":"k-\${K:-Q0Z-default}"}}}}`

  it("in env and headers, and what looks like a secret elsewhere, becomes a reference", () => {
    const { written, findings } = said(
      "claude-code",
      "cursor",
      text.replace('"url"', '"type":"http","url"'),
    )
    expect(written).not.toContain("Q0Z")
    expect(JSON.parse(written)).toEqual({
      mcpServers: {
        "my server": {
          command: "a",
          args: ["--api-key", "${env:MY_SERVER_API_KEY}", "--mode=fast"],
          env: { TOKEN: "${env:TOKEN}" },
        },
        b: {
          type: "http",
          url: "https://${env:B_URL_SECRET}@b.example/mcp?api_key=${env:B_URL_SECRET}",
          headers: { Authorization: "Bearer ${env:B_TOKEN}", "X-Mix": "k-${env:K}" },
        },
      },
    })
    expect(findings).toContain(
      "my server: secret-withheld: What is written in the variable TOKEN is not copied: set the variable TOKEN.",
    )
    expect(findings).toContain("b: secret-withheld: The default in the header X-Mix is not copied.")
    expect(findings.filter((one) => one.includes("secret-withheld"))).toHaveLength(5)
  })
})

describe("what a client has no words for", () => {
  it.each<[ClientKind, ClientKind, string]>([
    [
      "claude-code",
      "claude-desktop",
      "weather: not-expressible: Claude Desktop has no words for a server behind an address: it is left out.",
    ],
    [
      "claude-code",
      "codex",
      "old: not-expressible: Codex has no words for HTTP+SSE by itself: it finds the transport out by itself, or fails.",
    ],
    [
      "windsurf",
      "cursor",
      "off: not-expressible: Cursor has no words for a server that is switched off: it is left out.",
    ],
    [
      "windsurf",
      "cursor",
      "files: not-expressible: Cursor has no words for a list of tools that are not allowed.",
    ],
    [
      "cursor",
      "claude-code",
      "files: not-expressible: Claude Code has no words for a file with variables.",
    ],
    ["gemini", "cursor", "files: not-expressible: Cursor has no words for a time limit."],
  ])("from %s to %s: %s", (from, to, expected) => {
    expect(said(from, to).findings).toContain(expected)
  })

  it("never starts what was switched off", () => {
    const states = clientKinds.flatMap((to) =>
      read(to, said("windsurf", to).written)
        .servers.filter(({ id }) => id === "off")
        .map(({ disabled }) => disabled),
    )
    expect(states.length).toBeGreaterThan(3)
    expect(states).not.toContain(false)
  })
})
