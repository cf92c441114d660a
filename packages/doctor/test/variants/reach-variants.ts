import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { legacyServer, tool, type Script, type Step } from "@entente/testkit"
import { misbehaviours, startHttpPeer, startStdioPeer } from "@entente/testkit/node"
import { http, webSocket, type Transport } from "@entente/transport"
import { stdio } from "@entente/transport/stdio"
import { inBothEras } from "./eras-and-ways.js"
import type { Started, Variant } from "./variant.js"

const family = 0
/** For servers that are silent for good. A process needs some time to start, which is no silence. */
const quick = { timeoutMs: 400, waitMs: 20 } as const
const silentProcess = { timeoutMs: 1_500, waitMs: 20 } as const
/** For a process that answers the handshake, however long it takes to start, and then is silent. */
const silentLater = { ...silentProcess, handshakeMs: 10_000 } as const
const nobody = (): Script => ({ rules: [] })

/** A row of the testkit's catalogue, where its server never gets as far as a list. */
const asIn = (
  name: string,
  expects: string,
  over: Variant["over"],
  more: Partial<Variant> = {},
): Variant => ({
  name,
  family,
  era: "legacy",
  over,
  expects,
  verdict: "failed",
  script: () => {
    const known = misbehaviours.find((one) => one.name === name)
    if (known === undefined || over === "memory") throw new Error(`no misbehaviour ${name}`)
    return known.script({ over, era: "legacy" })
  },
  options: over === "stdio" ? { waitMs: 20 } : quick,
  ...more,
})

/** A target that is no scripted server. */
const target = (
  name: string,
  expects: string,
  over: Variant["over"],
  start: () => Promise<Started>,
): Variant => ({
  name,
  family,
  era: "legacy",
  over,
  expects,
  verdict: "failed",
  script: nobody,
  start,
})

const fixed = (transport: Transport): Promise<Started> =>
  Promise.resolve({ patient: { transport: () => transport }, close: async () => {} })

/** A port that nobody listens on: it was given to us, and given back. */
const deadPort = (): Promise<number> =>
  new Promise((resolve) => {
    const server = createServer()
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      server.close(() => resolve(port))
    })
  })

/** A small program of that name in a directory of its own. */
const program = async (
  name: string,
  text: string,
  mode: number,
  options: { readonly installs?: boolean } = {},
): Promise<Started> => {
  const directory = await mkdtemp(join(tmpdir(), "entente-doctor-"))
  const command = join(directory, name)
  await writeFile(command, text)
  await chmod(command, mode)
  return {
    patient: { transport: () => stdio({ command, ...options }) },
    close: () => rm(directory, { recursive: true }),
  }
}

const dying = (line: string, exit: number): Script => ({
  rules: [{ when: { kind: "open" }, reply: [{ stderr: `${line}\n` }, { exit }] }],
})

const dies = (name: string, line: string, expects: string): Variant => ({
  ...target(name, expects, "stdio", nothingStarted),
  script: () => dying(line, 1),
  start: async () => {
    const { command, args, close } = await startStdioPeer(dying(line, 1))
    return { patient: { transport: () => stdio({ command, args }) }, close }
  },
})

const nothingStarted = (): Promise<Started> => Promise.reject(new Error("nothing to start"))

const answersWith = (step: Step) => (): Script => ({ rules: [{ when: {}, reply: [step] }] })

const status = (code: number, expects: string): ReadonlyArray<Variant> =>
  inBothEras("http", () => ({
    name: `answers-${code}`,
    family,
    expects,
    verdict: "failed",
    script: answersWith({ http: { status: code, text: "no" } }),
    options: quick,
  }))

/** Family 0, what never gets as far as an answer that can be read. */
export const reachVariants: ReadonlyArray<Variant> = [
  target("no-such-command", "command-not-found", "stdio", () =>
    fixed(stdio({ command: "no-such-command-anywhere" })),
  ),
  target("not-executable", "command-not-started", "stdio", () =>
    program("server", "#!/bin/sh\n", 0o600),
  ),
  asIn("exits-with-stderr", "process-lacks-setting", "stdio"),
  dies("module-missing", "Error: Cannot find module 'left-pad'", "process-lacks-module"),
  dies(
    "python-module-missing",
    "ModuleNotFoundError: No module named 'mcp'",
    "process-lacks-module",
  ),
  asIn("exits-silently", "process-exited", "stdio"),
  asIn("exits-with-zero", "process-done-at-once", "stdio"),
  asIn("killed-at-start", "process-killed", "stdio"),
  asIn("dies-after-handshake", "server-crashed-after", "stdio"),
  {
    ...target("runner-installs", "runner-still-installing", "stdio", () =>
      program(
        "npx",
        "#!/bin/sh\necho 'npm install: 3 of 60 packages' >&2\nwhile read line; do :; done\n",
        0o700,
        {
          installs: false,
        },
      ),
    ),
    options: silentProcess,
  },
  target("nothing-listens", "address-refuses", "http", async () =>
    fixed(http(`http://127.0.0.1:${await deadPort()}/mcp`)),
  ),
  target("nothing-listens-for-sockets", "address-refuses", "ws", async () =>
    fixed(webSocket(`ws://127.0.0.1:${await deadPort()}/mcp`)),
  ),
  target("name-unknown", "host-unknown", "http", () => fixed(http("http://nobody.invalid/mcp"))),
  target("no-tls-there", "tls-failed", "http", async () => {
    const { url, close } = await startHttpPeer(legacyServer())
    const transport = http(url.replace("http:", "https:"))
    return { patient: { transport: () => transport }, close }
  }),
  target("proxy-is-away", "proxy-failed", "http", async () => {
    const { url, close } = await startHttpPeer(legacyServer())
    const proxy = new URL(`http://127.0.0.1:${await deadPort()}`)
    return { patient: { transport: () => http(url, { proxy }) }, close }
  }),
  asIn("redirect-cross-origin", "redirect-refused", "http", { path: "/old" }),
  asIn("redirect-301", "redirect-refused", "http", { path: "/old" }),
  {
    ...asIn("connection-reset", "connection-cut", "http"),
    script: answersWith({ destroy: true }),
  },
  ...status(404, "wrong-path"),
  ...status(405, "wrong-path"),
  ...status(429, "too-many-requests"),
  ...status(503, "server-outage"),
  ...status(415, "media-type-refused"),
  ...status(418, "refused-with-status"),
  asIn("html-page", "web-page-instead", "http"),
  {
    ...asIn("other-content", "not-mcp", "http"),
    script: answersWith({ http: { headers: { "content-type": "text/plain" }, text: "It works!" } }),
  },
  {
    ...asIn("json-without-json-rpc", "broken-messages", "http"),
    script: answersWith({ http: { json: "hello" } }),
  },
  ...(["stdio", "http"] as const).map((over): Variant => ({
    ...asIn("says-nothing", "handshake-unanswered", over),
    options: silentProcess,
    script: answersWith({ silence: true }),
  })),
  ...(["stdio", "http"] as const).map((over) =>
    asIn("initialize-fails", "handshake-refused", over),
  ),
  asIn("content-length-framing", "content-length-framing", "stdio"),
  asIn("pretty-printed", "pretty-printed", "stdio", { options: silentProcess }),
  asIn("missing-line-end", "line-never-ends", "stdio", { options: silentProcess }),
  {
    ...asIn("noise-only", "stdout-noise-only", "stdio"),
    options: silentProcess,
    script: answersWith({ raw: "INFO got a line\n" }),
  },
  {
    ...asIn("logs-in-the-line", "logs-break-framing", "stdio"),
    options: silentProcess,
    script: () => ({
      rules: [],
      unmatched: [
        {
          raw: [
            'INFO sending {"jsonrpc":"2.0","id":',
            { json: { $from: "/id" } },
            ',"result":{}}\n',
          ],
        },
      ],
    }),
  },
  {
    ...asIn("message-too-large", "message-too-large", "stdio"),
    options: silentLater,
    start: async () => {
      const tools = [tool("echo", { description: "x".repeat(4_000) })]
      const { command, args, close } = await startStdioPeer(legacyServer({ tools }))
      return {
        patient: { transport: () => stdio({ command, args, maxMessageBytes: 2_000 }) },
        close,
      }
    },
  },
  asIn("ws-1008-instead-of-ready", "websocket-closed", "ws"),
  ...([1006, 1011] as const).map((code): Variant => ({
    ...asIn(`ws-${code}-instead-of-ready`, "websocket-closed", "ws"),
    script: answersWith(
      code === 1006 ? { destroy: true } : { close: code, reason: "shard is restarting" },
    ),
  })),
  asIn("ws-upgrade-answered-with-page", "websocket-upgrade-refused", "ws"),
  asIn("ws-other-subprotocol", "websocket-other-subprotocol", "ws"),
  asIn("sse-endpoint-cross-origin", "sse-endpoint-refused", "sse"),
  asIn("sse-no-endpoint", "sse-no-endpoint", "sse"),
  asIn("sse-get-405", "sse-no-stream", "sse"),
]
