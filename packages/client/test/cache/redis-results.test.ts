import { execFileSync, spawn, type ChildProcess } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createClient } from "redis"
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { connect, memoryVerdicts, redisResults } from "@entente/client"
import { modernServer, tool, withRules } from "@entente/testkit"
import { startHttpPeer } from "@entente/testkit/node"
import { http } from "@entente/transport"
import { detailOf, fresh, toolNames, toolsSeen } from "./kept.js"
import { behavesAsStore, entry, keyOf } from "./store-contract.js"

const missing = ((): string | undefined => {
  try {
    execFileSync("redis-server", ["--version"], { stdio: "ignore" })
    return undefined
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause)
  }
})()

if (missing !== undefined) {
  // Seen in every log, so that nobody takes what was not run for what has passed.
  process.stderr.write(`Results in Redis are not tested here, there is none: ${missing}\n`)
}

/** On a socket file, so that no port has to be found that nobody else takes. */
const startRedis = async (folder: string) => {
  const path = join(folder, "redis.sock")
  const options = ["--port", "0", "--unixsocket", path, "--dir", folder, "--save", ""]
  const server = spawn("redis-server", options, { stdio: ["ignore", "pipe", "inherit"] })
  let said = ""
  for await (const chunk of server.stdout) {
    said += String(chunk)
    if (said.includes("connections at")) break
  }
  server.stdout.resume()
  return { server, path }
}

const stopped = async (server: ChildProcess) => {
  if (server.exitCode !== null || server.signalCode !== null) return
  server.kill("SIGKILL")
  await once(server, "exit")
}

const open = (path: string) =>
  createClient({ socket: { path, reconnectStrategy: false } }).on("error", () => {})

describe.skipIf(missing !== undefined)("results in a real Redis", () => {
  let folder = ""
  let redis: Awaited<ReturnType<typeof startRedis>>
  let client: ReturnType<typeof open>

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "entente-redis-"))
    redis = await startRedis(folder)
    client = open(redis.path)
    await client.connect()
  })

  beforeEach(() => client.flushAll())

  afterAll(async () => {
    client.destroy()
    await stopped(redis.server)
    await rm(folder, { recursive: true, force: true })
  })

  behavesAsStore(() => redisResults(client))

  it("V26-CACHE-02 V26-CACHE-08 V26-CACHE-15 serve clients on other machines, who may see them", async () => {
    await using peer = await startHttpPeer(
      withRules(modernServer({ tools: [], prompts: [{ name: "p" }], ttlMs: 60_000 }), {
        when: { method: "tools/list" },
        reply: [{ result: { ...fresh, tools: [tool("a")] } }],
      }),
    )
    const counts: Array<ReadonlyArray<number>> = []
    for (const token of ["A", "B", "A"]) {
      const other = open(redis.path)
      await other.connect()
      const transport = http(peer.url, { headers: { authorization: `Bearer ${token}` } })
      const cache = { store: redisResults(other), server: "the server" }
      {
        await using each = await connect(transport, { verdicts: memoryVerdicts(), cache })
        await each.tools.list()
        await each.prompts.list()
      }
      other.destroy()
      counts.push(["tools/list", "prompts/list"].map((method) => peer.requests(method).length))
    }
    expect(counts).toEqual([
      [1, 1],
      [1, 2],
      [1, 2],
    ])
    for (const key of await client.keys("*")) {
      expect(key).toMatch(/^entente:\{[0-9a-f]{64}\}(\.[0-9a-f]{64})?$/)
    }
  })

  it("expire in Redis itself, and so does what knows of them", async () => {
    const store = redisResults(client, { prefix: "p:" })
    await store.set(keyOf(1, 1), entry("long", 600_000))
    await store.set(keyOf(1, 2), entry("short", 60_000))
    await store.set(keyOf(1, 3), entry("gone", 1))
    const group = `p:{${keyOf(1, 1).slice(0, 64)}}`
    const ttl = async (key: string) => Math.ceil((await client.pTTL(key)) / 60_000)
    expect(await ttl(`p:{${keyOf(1, 1).replace(".", "}.")}`)).toBe(10)
    expect(await ttl(`p:{${keyOf(1, 2).replace(".", "}.")}`)).toBe(1)
    expect(await ttl(group)).toBe(10)
    while ((await store.get(keyOf(1, 3))) !== null)
      await new Promise((again) => setImmediate(again))
    await store.set(keyOf(1, 2), entry("short", 60_000))
    expect(await client.zCard(group)).toBe(2)
    await store.delete(keyOf(1, 1).slice(0, 65))
    expect(await client.keys("*")).toEqual([])
  })

  it("of 30 days are kept for as long", async () => {
    const store = redisResults(client)
    await store.set(keyOf(1, 1), entry("x", 30 * 24 * 60 * 60 * 1_000))
    const [key = ""] = await client.keys("*.*")
    expect(Math.round((await client.pTTL(key)) / 86_400_000)).toBe(30)
  })

  it("of two who write and delete at once leave nothing that no deletion would find", async () => {
    const store = redisResults(client)
    const group = keyOf(1, 0).slice(0, 65)
    const work = Array.from({ length: 300 }, (_, index) =>
      index % 7 === 0 ? store.delete(group) : store.set(keyOf(1, index), entry(String(index))),
    )
    await Promise.all(work)
    await store.delete(group)
    expect(await client.keys("*")).toEqual([])
  })

  it("with one prefix are nothing to those with another, whatever stands in it", async () => {
    const one = redisResults(client, { prefix: "a*[x]{y}:" })
    const other = redisResults(client, { prefix: "b:" })
    await one.set(keyOf(1, 1), entry("one"))
    await other.set(keyOf(1, 1), entry("other"))
    await one.delete(keyOf(1, 1).slice(0, 65))
    expect(await one.get(keyOf(1, 1))).toBeNull()
    expect(await other.get(keyOf(1, 1))).toBe("other")
  })

  it("cost a note and nothing else when Redis goes away", async () => {
    const own = await mkdtemp(join(tmpdir(), "entente-redis-"))
    const away = await startRedis(own)
    const other = open(away.path)
    await other.connect()
    const cache = { store: redisResults(other), server: "the server" }
    await using peer = await startHttpPeer(modernServer({ tools: [tool("a")], ttlMs: 60_000 }))
    expect(await toolsSeen(http(peer.url), { cache })).toEqual(["a"])
    await stopped(away.server)
    await using each = await connect(http(peer.url), { verdicts: memoryVerdicts(), cache })
    expect(await toolNames(each)).toEqual(["a"])
    expect(detailOf(each, "result-store-failed")).toBeDefined()
    expect(peer.requests("tools/list")).toHaveLength(2)
    other.destroy()
    await rm(own, { recursive: true, force: true })
  })
})
