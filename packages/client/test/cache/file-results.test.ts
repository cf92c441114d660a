import { execFile, spawn } from "node:child_process"
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { once } from "node:events"
import { fileURLToPath, pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { build } from "tsup"
import { afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest"
import { connect, memoryVerdicts } from "@entente/client"
import { fileResults } from "@entente/client/file-results"
import { modernServer, tool, withRules } from "@entente/testkit"
import { startHttpPeer } from "@entente/testkit/node"
import { http } from "@entente/transport"
import { detailOf, fresh, toolNames, toolsSeen } from "./kept.js"
import { behavesAsStore, entry, keyOf } from "./store-contract.js"

let folder = ""
/** Not made by anybody but the store. */
let directory = ""

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "entente-results-"))
  directory = join(folder, "not", "there", "yet")
})

afterEach(() => rm(folder, { recursive: true, force: true }))

const files = () => readdir(directory)
const pathOf = (key: string) => join(directory, `${key}.json`)

describe("results in files", () => {
  behavesAsStore(() => fileResults(directory))

  it("V26-CACHE-02 V26-CACHE-08 are there after a restart, for those who may see them", async () => {
    await using peer = await startHttpPeer(
      withRules(modernServer({ tools: [], prompts: [{ name: "p" }], ttlMs: 60_000 }), {
        when: { method: "tools/list" },
        reply: [{ result: { ...fresh, tools: [tool("a")] } }],
      }),
    )
    const asked = () => ["tools/list", "prompts/list"].map((method) => peer.requests(method).length)
    const run = async (token: string) => {
      const store = fileResults(directory)
      const transport = http(peer.url, { headers: { authorization: `Bearer ${token}` } })
      await using client = await connect(transport, {
        verdicts: memoryVerdicts(),
        cache: { store },
      })
      await client.tools.list()
      await client.prompts.list()
    }
    await run("A")
    await run("A")
    expect(asked()).toEqual([1, 1])
    // Nothing is waited for before a client is closed: what it heard last is there as well.
    expect(await files()).toHaveLength(2)
    await run("B")
    expect(asked()).toEqual([1, 2])
    await run("A")
    expect(asked()).toEqual([1, 2])
    for (const name of await files()) {
      expect(await readFile(join(directory, name), "utf8")).not.toContain("Bearer")
    }
  })

  it.runIf(process.platform !== "win32")("V26-SEC-14 are for their owner alone", async () => {
    const store = fileResults(directory)
    await store.set(keyOf(1, 1), entry("one"))
    expect((await stat(directory)).mode & 0o777).toBe(0o700)
    expect((await stat(pathOf(keyOf(1, 1)))).mode & 0o777).toBe(0o600)
    expect(await files()).toHaveLength(1)
  })

  it.runIf(process.platform !== "win32")("are not kept where others could write them", async () => {
    await mkdir(directory, { recursive: true })
    await chmod(directory, 0o777)
    await using peer = await startHttpPeer(modernServer({ tools: [tool("a")], ttlMs: 60_000 }))
    const store = fileResults(directory)
    const run = async () => {
      await using client = await connect(http(peer.url), {
        verdicts: memoryVerdicts(),
        cache: { store },
      })
      expect(await toolNames(client)).toEqual(["a"])
      return detailOf(client, "result-store-failed")
    }
    expect(await run()).toContain("others may write")
    expect(await files()).toEqual([])
    // Put right, it is used.
    await chmod(directory, 0o700)
    await run()
    expect(await run()).toBeUndefined()
    expect(peer.requests("tools/list")).toHaveLength(2)
  })

  it.runIf(process.platform !== "win32")(
    "are neither read through a link nor from a pipe or a directory",
    async () => {
      const store = fileResults(directory)
      await store.set(keyOf(1, 1), entry("mine"))
      await symlink(pathOf(keyOf(1, 1)), pathOf(keyOf(1, 2)))
      await promisify(execFile)("mkfifo", [pathOf(keyOf(1, 3))])
      await mkdir(pathOf(keyOf(1, 4)))
      await expect(store.get(keyOf(1, 2))).rejects.toMatchObject({ code: "ELOOP" })
      expect(await store.get(keyOf(1, 3))).toBe("")
      await expect(store.get(keyOf(1, 4))).rejects.toMatchObject({ code: "EISDIR" })
    },
  )

  it.each(["../../outside", "a/b", "..", ".", "", "a.b.c", "C:\\a.b", `${keyOf(1, 1)}\u0000`])(
    "have no key like %j",
    async (key) => {
      const store = fileResults(directory)
      await expect(store.set(key, entry("x"))).rejects.toThrow("no key")
      await expect(store.get(key)).rejects.toThrow("no key")
      expect(await readdir(folder)).toEqual([])
    },
  )

  it.each([
    ["an empty file", () => ""],
    ["half of it", (text: string) => text.slice(0, text.length / 2)],
    ["zeros", (text: string) => "\u0000".repeat(text.length)],
    ["what is no UTF-8", () => Buffer.from([0xff, 0xfe, 0x7b])],
    ["the file of another entry", (_text: string, other: string) => other],
    ["something else", () => "<html>"],
  ])("a file that has become %s is dropped with a note, and replaced", async (_what, damage) => {
    await using peer = await startHttpPeer(
      modernServer({ tools: [tool("a")], prompts: [], ttlMs: 60_000 }),
    )
    const cache = { store: fileResults(directory) }
    await toolsSeen(http(peer.url), { cache })
    const [name = ""] = await files()
    const path = join(directory, name)
    const text = await readFile(path, "utf8")
    await writeFile(path, damage(text, text.replace(/"key":"./, '"key":"x')))
    await using client = await connect(http(peer.url), { verdicts: memoryVerdicts(), cache })
    expect(await toolNames(client)).toEqual(["a"])
    expect(detailOf(client, "kept-result-dropped")).toBeDefined()
    expect(await toolNames(client)).toEqual(["a"])
    expect(peer.requests("tools/list")).toHaveLength(2)
  })

  it("are no more than they may be: what expires first goes first, what has expired before all", async () => {
    const store = fileResults(directory, { maxEntries: 10 })
    const write = async (from: number, to: number, ttlMs: (name: number) => number) => {
      for (let name = from; name < to; name++)
        await store.set(keyOf(1, name), entry("x", ttlMs(name)))
    }
    // Sweeping happens now and then: far more writes than there is room for bring it about.
    await write(0, 100, (name) => 60_000 + 1_000 * name)
    await write(100, 165, () => 1)
    const left = await files()
    expect(left.length).toBeLessThan(80)
    expect(left).toContain(`${keyOf(1, 99)}.json`)
    expect(left).not.toContain(`${keyOf(1, 3)}.json`)
  })

  it("are no larger than they may be", async () => {
    const store = fileResults(directory, { maxBytes: 10_000 })
    for (let name = 0; name < 65; name++) {
      await store.set(keyOf(1, name), entry("x".repeat(1_000), 60_000 + 1_000 * name))
    }
    expect((await files()).length).toBeLessThanOrEqual(10)
    await writeFile(pathOf(keyOf(9, 9)), "x".repeat(10_001))
    await expect(store.get(keyOf(9, 9))).rejects.toThrow("bytes")
  })

  it("leave alone what is not theirs", async () => {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    const foreign = ["notes.txt", "package.json", ".hidden"]
    const long = new Date(0)
    for (const name of foreign) {
      await writeFile(join(directory, name), "mine")
      await utimes(join(directory, name), long, long)
    }
    const store = fileResults(directory, { maxEntries: 1 })
    for (let name = 0; name < 65; name++) await store.set(keyOf(1, name), entry("x"))
    await store.delete(keyOf(1, 0).slice(0, 65))
    expect((await files()).toSorted()).toEqual(foreign.toSorted())
  })
})

describe("results in files that several processes use", () => {
  let module = ""

  beforeAll(async () => {
    const built = await mkdtemp(join(tmpdir(), "entente-built-"))
    await build({
      entry: [fileURLToPath(new URL("../../src/file-results.ts", import.meta.url))],
      outDir: built,
      format: ["esm"],
      outExtension: () => ({ js: ".mjs" }),
      target: "node20",
      platform: "node",
      noExternal: [/.*/],
      removeNodeProtocol: false,
      splitting: false,
      silent: true,
      config: false,
      dts: false,
      esbuildOptions: (options) => {
        options.conditions = ["@entente/source", "node", "import"]
      },
    })
    module = pathToFileURL(join(built, "file-results.mjs")).href
    return () => rm(built, { recursive: true, force: true })
  }, 120_000)

  const program = (body: string) => {
    const text = `
      import { readdirSync, statSync } from "node:fs"
      import { join } from "node:path"
      import { fileResults } from ${JSON.stringify(module)}
      const directory = ${JSON.stringify(directory)}
      const store = fileResults(directory)
      const entry = (text) => ({ text, ttlMs: 60_000, scope: "public" })
      ${body}
    `
    const child = spawn(process.execPath, ["--input-type=module", "--eval", text], {
      stdio: ["ignore", "inherit", "inherit"],
    })
    return once(child, "exit") as Promise<[number | null, string | null]>
  }

  it("one that dies while it writes leaves what was there before, and a piece that is swept away", async () => {
    const key = keyOf(1, 1)
    const store = fileResults(directory)
    await store.set(key, entry("before"))
    // Large texts are written in many steps; between two of them it ends as a crash ends it.
    const [code, signal] = await program(`
      void store.set(${JSON.stringify(key)}, entry("x".repeat(48 * 1024 * 1024)))
      const look = () => {
        for (const name of readdirSync(directory)) {
          if (!name.endsWith(".unfinished") || statSync(join(directory, name)).size === 0) continue
          process.kill(process.pid, "SIGKILL")
        }
        setImmediate(look)
      }
      look()
    `)
    expect([code, signal]).toEqual([null, "SIGKILL"])
    const pieces = (await files()).filter((name) => name.endsWith(".unfinished"))
    expect(pieces).toHaveLength(1)
    const piece = join(directory, pieces[0] ?? "")
    expect((await stat(piece)).size).toBeLessThan(48 * 1024 * 1024)
    expect(await store.get(key)).toBe("before")
    await store.set(key, entry("after"))
    expect(await store.get(key)).toBe("after")
    // It could be at work still, until it is an hour old.
    const sweep = async () => {
      for (let times = 0; times < 64; times++) await store.set(keyOf(2, 2), entry("x"))
    }
    await sweep()
    expect(await files()).toHaveLength(3)
    const old = new Date(Date.now() - 3_700_000)
    await utimes(piece, old, old)
    await sweep()
    expect(await files()).toHaveLength(2)
  })

  it("two that write at once never show half an entry, to each other or to a third", async () => {
    const key = keyOf(1, 1)
    const writes = (letter: string) =>
      program(`
        const seen = new Set()
        for (let times = 0; times < 60; times++) {
          await store.set(${JSON.stringify(key)}, entry(${JSON.stringify(letter)}.repeat(700_000)))
          const text = await store.get(${JSON.stringify(key)})
          seen.add(text === undefined ? "" : text.length + [...new Set(text)].join(""))
          if (times % 10 === 0) await store.delete(${JSON.stringify(key.slice(0, 65))})
        }
        process.exit([...seen].every((each) => ["", "700000a", "700000b"].includes(each)) ? 0 : 1)
      `)
    const store = fileResults(directory)
    const both = Promise.all([writes("a"), writes("b")])
    const over = new AbortController()
    void both.finally(() => over.abort())
    const lengths = new Set<number | undefined>()
    while (!over.signal.aborted) {
      lengths.add(((await store.get(key)) as string | undefined)?.length) // it gives promises
    }
    expect(await both).toEqual([
      [0, null],
      [0, null],
    ])
    lengths.delete(undefined)
    expect([...lengths]).toEqual([700_000])
  })
})
