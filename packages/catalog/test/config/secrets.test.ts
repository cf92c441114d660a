import { inspect } from "node:util"
import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  checkConfig,
  clientKinds,
  expandServer,
  readConfig,
  serversOf,
  shownServer,
  translate,
  type ClientKind,
} from "../../src/config/index.js"

const around = { platform: "linux", home: "/home/me", cwd: "/work" } as const

/** No word of the files or the findings looks like it. */
const secret = fc
  .string({ unit: fc.constantFrom(..."0123456789QXZ"), minLength: 8, maxLength: 24 })
  .map((text) => `Q0Z${text}`)

const client = fc.constantFrom(...clientKinds)

/** The same two servers for each client, with a secret in `env` and `headers`, or in a variable. */
const fileFor = (kind: ClientKind, value: string): string => {
  const local = { command: "x", env: { TOKEN: value }, cmd: "x", envs: { TOKEN: value } }
  const url = "https://h.example/mcp"
  const headers = { "X-Key": value }
  switch (kind) {
    case "codex":
      return `[mcp_servers.a]\ncommand = "x"\nenv = { TOKEN = ${JSON.stringify(value)} }\n[mcp_servers.b]\nurl = "${url}"\nhttp_headers = { X-Key = ${JSON.stringify(value)} }\n`
    case "goose":
      return JSON.stringify({
        extensions: {
          a: { type: "stdio", ...local },
          b: { type: "streamable_http", uri: url, headers },
        },
      })
    case "opencode":
      return JSON.stringify({
        mcp: {
          a: { type: "local", command: ["x"], environment: { TOKEN: value } },
          b: { type: "remote", url, headers },
        },
      })
    default: {
      const servers = { a: local, b: { url, serverUrl: url, baseUrl: url, headers } }
      return JSON.stringify({ mcpServers: servers, servers })
    }
  }
}

const everythingShown = (values: ReadonlyArray<unknown>): string =>
  values
    .flatMap((value) => [JSON.stringify(value), inspect(value, { depth: 20, showHidden: true })])
    .join("\n")

describe("a secret in env or headers", () => {
  it("written into the file, shows nowhere: not in the model, the findings, a check, nor in a translation", () => {
    fc.assert(
      fc.property(client, client, secret, (kind, to, value) => {
        const text = fileFor(kind, value)
        const read = readConfig(text, { client: kind, path: "/f" })
        expect(read.servers.length).toBeGreaterThan(0)
        const expand = { ...around, env: {} }
        const expanded = read.servers.map((server) => expandServer(server, expand))
        const servers = expanded.flatMap(({ server }) => (server === undefined ? [] : [server]))
        const shown = everythingShown([
          read,
          expanded,
          checkConfig(text, { client: kind, expand }),
          translate(read, to),
          [...read.servers, ...servers].map(shownServer),
          Object.values(serversOf({ servers, cwd: "/work" })).map(({ transport }) => [
            transport.target,
            transport.key,
          ]),
        ])
        expect(shown).not.toContain(value)
      }),
      { numRuns: 200 },
    )
  })

  it("that came from the environment shows nowhere, wherever it is used", () => {
    const text = JSON.stringify({
      mcpServers: {
        a: { command: "x", args: ["--db", "${ONE}", "p=${ONE}"], env: { TOKEN: "${ONE}" } },
        b: { url: "https://h.example/${ONE}/mcp", headers: { "X-Key": "${ONE}" } },
      },
    })
    fc.assert(
      fc.property(secret, (value) => {
        const { servers } = readConfig(text, { client: "plain" })
        const expanded = servers.map((server) =>
          expandServer(server, { ...around, env: { ONE: value } }),
        )
        const usable = expanded.flatMap(({ server }) => (server === undefined ? [] : [server]))
        expect(usable).toHaveLength(2)
        const shown = everythingShown([
          expanded,
          usable.map(shownServer),
          Object.values(serversOf({ servers: usable, cwd: "/work" })).map(({ transport }) => [
            transport.target,
            transport.key,
          ]),
        ])
        expect(shown).not.toContain(value)
      }),
    )
  })

  it("is copied when that is asked for", () => {
    const { servers } = readConfig(fileFor("cursor", "Q0Zsecret"), { client: "cursor" })
    const { text, findings } = translate({ servers }, "claude-code", { copySecrets: true })
    expect(text.match(/Q0Zsecret/g)).toHaveLength(2)
    expect(findings.map(({ code }) => code)).not.toContain("secret-withheld")
  })
})
