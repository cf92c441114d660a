import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { examine, type Diagnosis } from "@entente/doctor"
import { http, httpSse, webSocket, type Transport } from "@entente/transport"
import { stdio } from "@entente/transport/stdio"
import { type Listening, freePort, installed, listening, own } from "@entente/published-servers"

const everything = "@modelcontextprotocol/server-everything"

/** A server that works, and how many tools it has; a folder or a port is there for those that want one. */
interface Row {
  readonly server: string
  readonly tools: number
  readonly start: (own: { readonly port: string; readonly folder: string }) => Promise<Started>
}

interface Started extends AsyncDisposable {
  readonly transport: () => Transport
}

const overStdio =
  (command: ReturnType<typeof installed>): Row["start"] =>
  async () => ({ transport: () => stdio(command), [Symbol.asyncDispose]: async () => {} })

const at = (transport: () => Transport, running: Listening): Started => ({
  transport,
  [Symbol.asyncDispose]: () => running[Symbol.asyncDispose](),
})

const printsItsPort =
  (name: string): Row["start"] =>
  async () => {
    const running = await listening(own(name, "http"), /^\d+\n/)
    return at(() => http(`http://127.0.0.1:${running.output.trim()}/mcp`), running)
  }

const gateway =
  (flags: ReadonlyArray<string>, ready: RegExp, way: (port: string) => Transport): Row["start"] =>
  async ({ port }) => {
    const { command, args } = installed("@modelcontextprotocol/server-memory")
    const child = [command, ...args].map((word) => `"${word}"`).join(" ")
    const options = ["--stdio", child, "--port", port, ...flags]
    return at(() => way(port), await listening(installed("supergateway", ...options), ready))
  }

const rows: ReadonlyArray<Row> = [
  { server: "server-everything", tools: 13, start: overStdio(installed(everything, "stdio")) },
  {
    server: "server-memory",
    tools: 9,
    start: overStdio(installed("@modelcontextprotocol/server-memory")),
  },
  {
    server: "server-sequential-thinking",
    tools: 1,
    start: overStdio(installed("@modelcontextprotocol/server-sequential-thinking")),
  },
  {
    server: "server-filesystem",
    tools: 14,
    start: ({ folder }) =>
      overStdio(installed("@modelcontextprotocol/server-filesystem", folder))({ folder, port: "" }),
  },
  { server: "context7-mcp", tools: 2, start: overStdio(installed("@upstash/context7-mcp")) },
  {
    server: "excel-mcp-server",
    tools: 6,
    start: overStdio(installed("@negokaz/excel-mcp-server")),
  },
  {
    server: "mcp-server-code-runner",
    tools: 1,
    start: overStdio(installed("mcp-server-code-runner")),
  },
  { server: "effect-mcp", tools: 2, start: overStdio(installed("effect-mcp")) },
  {
    server: "a server on the official SDK",
    tools: 1,
    start: overStdio(own("official-server.mjs", "stdio")),
  },
  { server: "a server on Effect", tools: 2, start: overStdio(own("effect-server.mjs")) },
  {
    server: "a server that asks back",
    tools: 5,
    start: overStdio(own("conversation-server.mjs", "stdio")),
  },
  {
    server: "server-everything over HTTP",
    tools: 13,
    start: async ({ port }) =>
      at(
        () => http(`http://127.0.0.1:${port}/mcp`),
        await listening(installed(everything, "streamableHttp"), /listening/i, { PORT: port }),
      ),
  },
  {
    server: "server-everything over HTTP+SSE",
    tools: 13,
    start: async ({ port }) =>
      at(
        () => httpSse(`http://127.0.0.1:${port}/sse`),
        await listening(installed(everything, "sse"), /running|listening/i, { PORT: port }),
      ),
  },
  {
    server: "context7-mcp over HTTP",
    tools: 2,
    start: async ({ port }) =>
      at(
        () => http(`http://127.0.0.1:${port}/mcp`),
        await listening(
          installed("@upstash/context7-mcp", "--transport", "http", "--port", port),
          /running|listening/i,
        ),
      ),
  },
  {
    server: "a server on the official SDK over HTTP",
    tools: 1,
    start: printsItsPort("official-server.mjs"),
  },
  {
    server: "a server that asks back over HTTP",
    tools: 5,
    start: printsItsPort("conversation-server.mjs"),
  },
  {
    server: "a server with annotated arguments over HTTP",
    tools: 1,
    start: printsItsPort("annotated-server.mjs"),
  },
  {
    server: "server-memory behind a gateway, over HTTP+SSE",
    tools: 9,
    start: gateway([], /listening on port/i, (port) => httpSse(`http://127.0.0.1:${port}/sse`)),
  },
  {
    server: "server-memory behind a gateway, over WebSocket",
    tools: 9,
    start: gateway(["--outputTransport", "ws"], /WebSocket endpoint/, (port) =>
      webSocket(`ws://127.0.0.1:${port}/message`),
    ),
  },
]

const lookedAt = async ({ start }: Row): Promise<Diagnosis> => {
  const folder = await mkdtemp(join(tmpdir(), "entente-"))
  try {
    await using server = await start({ folder, port: String(await freePort()) })
    const { diagnosis } = await examine({ transport: server.transport })
    return diagnosis
  } finally {
    await rm(folder, { recursive: true })
  }
}

describe("a published server that works is not called ill", () => {
  it.each(rows)("$server", async (row) => {
    const { verdict, counts, hypotheses, stages } = await lookedAt(row)
    expect({
      verdict,
      counts,
      hypotheses,
      failed: stages.filter(({ status }) => status === "failed"),
    }).toEqual({
      verdict: "healthy",
      counts: { raw: row.tools, accepted: row.tools, exposed: row.tools },
      hypotheses: [],
      failed: [],
    })
  })
})
