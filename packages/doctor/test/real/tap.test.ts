import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdir, mkdtemp, readdir, readFile, rm } from "node:fs/promises"
import { createServer, type AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio"
import { build, type Options } from "tsup"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import type { TraceEvent } from "@entente/trace"
import { readTrace } from "@entente/trace/file"
import { installed } from "@entente/published-servers"
import { singleFile } from "../../../../tsup.config.js"
import { httpMessages, type HttpMessage } from "./tap/http-messages.js"

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const [everything = ""] = installed("@modelcontextprotocol/server-everything").args

let folder = ""
let program = ""
const running = new Set<ReturnType<typeof spawn>>()

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "entente-tap-real-"))
  const config = singleFile({}) as Options // the config is one object
  await build({
    ...config,
    config: false,
    entry: [here("./tap/tap-program.ts")],
    outDir: folder,
    outExtension: () => ({ js: ".mjs" }),
    silent: true,
    esbuildOptions: (options, context) => {
      config.esbuildOptions?.(options, context)
      options.conditions = ["@entente/source", "node", "import", "default"]
    },
  })
  program = join(folder, "tap-program.mjs")
})

afterAll(async () => {
  for (const child of running) child.kill("SIGKILL")
  await rm(folder, { recursive: true, force: true })
})

/** What the official client does in each run: nothing in it depends on the hour. */
const converse = async (client: Client): Promise<ReadonlyArray<unknown>> => [
  client.getServerVersion(),
  await client.listTools(),
  await client.listPrompts(),
  await client.listResources(),
  await client.callTool({ name: "echo", arguments: { message: "grün 🌱 \u2028 end" } }),
  await client.callTool({ name: "get-sum", arguments: { a: 2, b: 40 } }),
  await client
    .callTool({ name: "no-such-tool", arguments: {} })
    .catch((error: unknown) => String(error)),
  await client.callTool(
    { name: "trigger-long-running-operation", arguments: { duration: 1, steps: 4 } },
    { onprogress: () => {} },
  ),
  await client.getPrompt({ name: "simple-prompt" }),
]

const newClient = (): Client => new Client({ name: "official", version: "1.0.0" })

/** What each run of the server makes anew: ids of sessions and events, and dates. */
const withoutChance = (text: string): string =>
  text
    .replaceAll(/[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "UUID")
    .replaceAll(/^Date: .*$/gim, "DATE")

const eventsOf = async (file: string): Promise<ReadonlyArray<TraceEvent>> => {
  const events: Array<TraceEvent> = []
  for await (const line of readTrace(file)) if (line.kind === "event") events.push(line.event)
  return events
}

/** Requests of the client in a trace that have an answer. */
const answered = (events: ReadonlyArray<TraceEvent>): ReadonlyArray<string> => {
  const frames = events.flatMap((event) => (event.type === "frame" ? [event] : []))
  const messages = frames.map(
    ({ direction, message }) => ({
      direction,
      ...(message as { readonly id?: unknown; readonly method?: string }),
    }), // frames are objects here
  )
  return messages
    .filter(
      ({ direction, method, id }) =>
        direction === "out" && method !== undefined && id !== undefined,
    )
    .filter(({ id }) =>
      messages.some((one) => one.direction === "in" && one.method === undefined && one.id === id),
    )
    .map(({ method }) => String(method))
}

const asked = [
  "initialize",
  "tools/list",
  "prompts/list",
  "resources/list",
  "tools/call",
  "tools/call",
  "tools/call",
  "tools/call",
  "prompts/get",
]

describe("a tap between the official client and server-everything over stdio", () => {
  const run = async (name: string, around: ReadonlyArray<string>) => {
    const tee = (side: string): ReadonlyArray<string> => [
      process.execPath,
      here("./tap/tee-stdio.mjs"),
      join(folder, `${name}-${side}`),
    ]
    const server = [process.execPath, everything, "stdio"]
    const [command = "", ...args] = [...tee("client"), ...around, ...tee("server"), ...server]
    const client = newClient()
    await client.connect(new StdioClientTransport({ command, args, stderr: "ignore" }))
    const heard = await converse(client)
    await client.close()
    const bytes = async (side: string) => ({
      up: await readFile(join(folder, `${name}-${side}.up`)),
      down: await readFile(join(folder, `${name}-${side}.down`)),
    })
    return { heard, client: await bytes("client"), server: await bytes("server") }
  }

  it("both ends have the same bytes, and the same as without it", async () => {
    const trace = join(folder, "stdio.jsonl")
    const plain = await run("plain", [])
    const tapped = await run("tapped", [process.execPath, program, trace])
    expect(tapped.client.up.equals(tapped.server.up)).toBe(true)
    expect(tapped.client.down.equals(tapped.server.down)).toBe(true)
    expect(tapped.client.up.equals(plain.client.up)).toBe(true)
    expect(withoutChance(tapped.client.down.toString())).toBe(
      withoutChance(plain.client.down.toString()),
    )
    expect(tapped.client.down.length).toBeGreaterThan(5_000)
    expect(tapped.heard).toEqual(plain.heard)
    const events = await eventsOf(trace)
    expect(answered(events)).toEqual(asked)
    expect(events.filter(({ type }) => type === "unreadable")).toEqual([])
    expect(events.at(-1)).toMatchObject({ type: "channel", event: "released" })
  })
})

describe("a tap between the official client and server-everything over HTTP", () => {
  /** Starts a program, and gives what it says that it is ready with. */
  const started = async (
    args: ReadonlyArray<string>,
    ready: RegExp,
    env = {},
  ): Promise<{
    readonly said: string
    readonly end: (signal: "SIGTERM" | "SIGKILL") => Promise<void>
  }> => {
    const child = spawn(process.execPath, args, { env: { ...process.env, ...env } })
    running.add(child)
    const ended = once(child, "exit")
    let said = ""
    for (const stream of [child.stdout, child.stderr])
      stream.on("data", (text: Buffer) => (said += text.toString()))
    while (!ready.test(said)) {
      await Promise.race([once(child.stdout, "data"), once(child.stderr, "data"), ended])
      if (child.exitCode !== null) throw new Error(`it ended before it was ready: ${said}`)
    }
    const end = async (signal: "SIGTERM" | "SIGKILL"): Promise<void> => {
      child.kill(signal)
      await ended
      running.delete(child)
    }
    return { said, end }
  }

  const freePort = async (): Promise<number> => {
    const probe = createServer().listen(0, "127.0.0.1")
    await once(probe, "listening")
    const { port } = probe.address() as AddressInfo // a server that listens on a port has one
    probe.close()
    await once(probe, "close")
    return port
  }

  const tee = async (name: string, port: number) => {
    const into = join(folder, name)
    await mkdir(into)
    return started([here("./tap/tee-tcp.mjs"), into, String(port)], /^\d+\n/)
  }

  /** Headers of the connection, and those that name the address. */
  const ofConnection = new Set(["host", "connection", "keep-alive", "transfer-encoding"])

  const written = ({ start, headers, body }: HttpMessage): string =>
    [
      start,
      ...headers
        .filter(([name]) => !ofConnection.has(name.toLowerCase()))
        .map(([name, value]) => `${name}: ${value}`),
      "",
      body.toString("latin1"),
    ].join("\n")

  /** Each connection as its exchanges, each a request and its answer as text. */
  const connections = async (name: string): Promise<ReadonlyArray<ReadonlyArray<string>>> => {
    const into = join(folder, name)
    const logs = (await readdir(into)).filter((file) => file.endsWith(".up"))
    const all = await Promise.all(
      logs.map(async (up) => {
        const asks = httpMessages(await readFile(join(into, up)))
        const answers = httpMessages(await readFile(join(into, up.replace(/up$/, "down"))))
        expect(answers).toHaveLength(asks.length)
        return asks.map((one, index) => [one, answers[index] ?? one].map(written).join("\n––\n"))
      }),
    )
    // Connections are opened side by side.
    return all.toSorted((one, other) => (one.join("") < other.join("") ? -1 : 1))
  }

  const run = async (url: string): Promise<ReadonlyArray<unknown>> => {
    const client = newClient()
    const transport = new StreamableHTTPClientTransport(new URL(url))
    await client.connect(transport)
    const heard = await converse(client)
    await transport.terminateSession()
    await client.close()
    return heard
  }

  it("both ends have the same messages on the same connections, and the same as without it", async () => {
    const port = await freePort()
    const server = await started([everything, "streamableHttp"], /listening/i, {
      PORT: String(port),
    })
    const plain = await tee("http-plain", port)
    const behind = await tee("http-server", port)
    const trace = join(folder, "http.jsonl")
    const behindUrl = `http://127.0.0.1:${behind.said.trim()}/mcp`
    const tap = await started([program, trace, "--http", behindUrl], /^http:.*\n/)
    const front = await tee("http-client", Number(new URL(tap.said).port))

    const heard = await run(`http://127.0.0.1:${plain.said.trim()}/mcp`)
    expect(await run(`http://127.0.0.1:${front.said.trim()}/mcp`)).toEqual(heard)
    await tap.end("SIGTERM")
    for (const one of [front, plain, behind, server]) await one.end("SIGKILL")

    const [client, behindTap, without] = await Promise.all(
      ["http-client", "http-server", "http-plain"].map(connections),
    )
    expect(client).toEqual(behindTap)
    // Which exchange takes which connection is chance in each run.
    const steady = (all: typeof client = []) => all.flat().map(withoutChance).toSorted()
    expect(steady(client)).toEqual(steady(without))
    expect(steady(client).length).toBeGreaterThan(asked.length)

    const events = await eventsOf(trace)
    expect(answered(events)).toEqual(asked)
    expect(events.filter(({ type }) => type === "unreadable")).toEqual([])
    expect(events).toContainEqual(
      expect.objectContaining({ type: "ask", what: "endSession", outcome: { value: 200 } }),
    )
    expect(events.at(-1)).toMatchObject({ type: "channel", event: "released" })
  })
})
