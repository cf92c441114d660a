import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { connect } from "@entente/client"
import { legacyServer } from "@entente/testkit"
import { startHttpPeer } from "@entente/testkit/node"
import type { Transport } from "@entente/transport"
import { PassThrough } from "node:stream"
import { headersWithoutCredentials, urlWithoutCredentials } from "../src/credentials.js"
import type { Io } from "../src/io.js"
import { takeTarget } from "../src/target.js"
import { wayTo } from "../src/way-to.js"

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "entente-cli-way-"))
})
afterAll(() => rm(root, { recursive: true, force: true }))

const io = (): Io => ({
  stdin: new PassThrough(),
  stdout: { write: () => {} },
  stderr: { write: () => {} },
  env: { HOME: root },
  cwd: root,
  signal: new AbortController().signal,
  main: "",
})

const wayOf = (word: string, headers: ReadonlyArray<string> = []) =>
  wayTo(takeTarget([word], undefined).target, { headers, insecure: false, json: true }, io())

const visit = async (transport: Transport | undefined): Promise<void> => {
  if (transport === undefined) throw new Error("there is no such way")
  await using client = await connect(transport, { mode: "legacy" })
  await client.tools.list()
}

describe("headers without credentials", () => {
  it.each([
    [{ Authorization: "Bearer abc", "X-Tenant": "acme" }, { "X-Tenant": "acme" }],
    [{ "X-Api-Key": "abc" }, {}],
    [{ Cookie: "a=b" }, {}],
    [{ "X-Thing": "Bearer sk-proj-abcdefghijklmnopqrstuvwx" }, {}],
    [{ "X-Tenant": "acme" }, undefined],
    [{}, undefined],
  ])("of %j are %j", (given, left) => {
    expect(headersWithoutCredentials(given)).toEqual(left)
  })
})

describe("an address without credentials", () => {
  it.each([
    ["https://ada:pass@example.com/mcp?page=2", "https://example.com/mcp?page=2"],
    ["https://example.com/mcp?api_key=abc&page=2&token=x", "https://example.com/mcp?page=2"],
    ["https://example.com/mcp?page=2", undefined],
    ["no address", undefined],
  ])("of %s is %s", (given, left) => {
    expect(urlWithoutCredentials(given)).toBe(left)
  })
})

describe("the way to a server", () => {
  it("leaves credentials out where they are not wanted, and only those", async () => {
    await using peer = await startHttpPeer(legacyServer())
    const way = await wayOf(`${peer.url}?api_key=abc&page=2`, [
      "Authorization: Bearer abc",
      "X-Tenant: acme",
    ])
    await visit(way.transport())
    await visit(way.withoutCredentials?.())
    const seen = peer.requests("initialize").map(({ path, headers }) => ({
      path,
      authorization: headers?.["authorization"],
      tenant: headers?.["x-tenant"],
    }))
    expect(seen).toEqual([
      { path: "/mcp?api_key=abc&page=2", authorization: "Bearer abc", tenant: "acme" },
      { path: "/mcp?page=2", authorization: undefined, tenant: "acme" },
    ])
  })

  it("does so for a server of a file too", async () => {
    await using peer = await startHttpPeer(legacyServer())
    const headers = { authorization: "Bearer abc", "x-tenant": "acme" }
    const entry = { type: "http", url: peer.url, headers }
    await writeFile(join(root, ".mcp.json"), JSON.stringify({ mcpServers: { mine: entry } }))
    const way = await wayOf("mine", ["X-Api-Key: abc"])
    await visit(way.transport())
    await visit(way.withoutCredentials?.())
    const seen = peer
      .requests("initialize")
      .map(({ headers: sent = {} }) => [sent["authorization"], sent["x-api-key"], sent["x-tenant"]])
    expect(seen).toEqual([
      ["Bearer abc", "abc", "acme"],
      [undefined, undefined, "acme"],
    ])
  })

  it("has no second form where there are no credentials", async () => {
    expect((await wayOf("http://127.0.0.1:1/mcp", ["X-Tenant: acme"])).withoutCredentials).toBe(
      undefined,
    )
    expect((await wayOf("unix:/run/none.sock")).withoutCredentials).toBe(undefined)
  })
})
