import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process"
import { once } from "node:events"
import { createInterface } from "node:readline"
import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { WebSocket } from "ws"
import type { JsonRpcMessage, TransportError } from "@entente/protocol"
import type { SendOutcome } from "@entente/transport"
import type { MemoryPeer } from "../src/index.js"
import type { StdioPeer } from "../src/node.js"

/** Values that come when they come, taken in order. */
export class Inbox<A> {
  private readonly values: Array<A> = []
  private readonly takers: Array<(value: A) => void> = []

  push(value: A): void {
    const taker = this.takers.shift()
    if (taker === undefined) this.values.push(value)
    else taker(value)
  }

  take(): Promise<A> {
    const value = this.values.shift()
    return value === undefined
      ? new Promise((resolve) => this.takers.push(resolve))
      : Promise.resolve(value)
  }

  get size(): number {
    return this.values.length
  }
}

export const call = (
  id: number,
  method: string,
  params?: { readonly [name: string]: unknown },
): JsonRpcMessage => ({ jsonrpc: "2.0", id, method, ...(params && { params }) })

export const post = (
  url: string,
  body: unknown,
  headers: Record<string, string> = {},
  signal: AbortSignal | null = null,
): Promise<Response> =>
  fetch(url, {
    method: "POST",
    redirect: "manual",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      ...headers,
    },
    body: typeof body === "string" ? body : JSON.stringify(body),
    signal,
  })

/** Reads a body bit by bit, as it comes. */
export const reader = (response: Response) => {
  const chunks = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  return async (): Promise<string | undefined> => (await chunks?.read())?.value
}

export interface MemoryClient {
  readonly inbox: Inbox<unknown>
  readonly closed: Inbox<TransportError>
  readonly send: (message: JsonRpcMessage) => Promise<SendOutcome>
}

export const openMemory = (
  peer: MemoryPeer,
): Effect.Effect<MemoryClient, TransportError, Scope.Scope> =>
  Effect.map(peer.transport.open, (channel) => {
    const inbox = new Inbox<unknown>()
    const closed = new Inbox<TransportError>()
    channel.listen({
      message: (value) => inbox.push(value),
      note: () => {},
      unreadable: () => {},
      closed: (cause) => closed.push(cause),
    })
    return {
      inbox,
      closed,
      send: (message) => new Promise((resolve) => channel.send({ message }, resolve)),
    }
  })

export interface StdioClient {
  readonly child: ChildProcessWithoutNullStreams
  /** Lines on stdout. */
  readonly lines: Inbox<string>
  /** Lines on stderr. */
  readonly errors: Inbox<string>
  readonly say: (message: unknown) => void
  /** Resolves with exit code and signal. */
  readonly exit: Promise<unknown>
}

export const spawnStdio = (peer: Pick<StdioPeer, "command" | "args">): StdioClient => {
  const child = spawn(peer.command, peer.args)
  const lines = new Inbox<string>()
  const errors = new Inbox<string>()
  createInterface({ input: child.stdout }).on("line", (line) => lines.push(line))
  createInterface({ input: child.stderr }).on("line", (line) => errors.push(line))
  return {
    child,
    lines,
    errors,
    say: (message) => void child.stdin.write(`${JSON.stringify(message)}\n`),
    exit: once(child, "exit"),
  }
}

export interface SseClient {
  readonly status: number
  /** Events as `[name, data]`, comments as `["", comment]`, and `["end", ""]` or `["cut", why]` at last. */
  readonly events: Inbox<readonly [string, string]>
  /** POSTs to the address of the `endpoint` event, which is awaited once. */
  readonly say: (message: unknown) => Promise<Response>
  readonly leave: () => void
}

const eventOf = (block: string): readonly [string, string] => {
  if (block.startsWith(":")) return ["", block.slice(1).trim()]
  const fields = block.split("\n").map((line) => /^(\w+): ?(.*)$/.exec(line) ?? [])
  const valuesOf = (name: string) => fields.flatMap((field) => (field[1] === name ? field[2] : []))
  return [valuesOf("event")[0] ?? "message", valuesOf("data").join("\n")]
}

export const openSse = async (url: string): Promise<SseClient> => {
  const abort = new AbortController()
  const response = await fetch(url, {
    headers: { accept: "text/event-stream" },
    signal: abort.signal,
  })
  const events = new Inbox<readonly [string, string]>()
  const read = async (): Promise<void> => {
    let rest = ""
    for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const blocks = `${rest}${text}`.split("\n\n")
      rest = blocks.pop() ?? ""
      for (const block of blocks) events.push(eventOf(block))
    }
    events.push(["end", rest])
  }
  read().catch((error: Error) => events.push(["cut", error.message]))
  let address: Promise<string> | undefined
  return {
    status: response.status,
    events,
    say: async (message) => {
      address ??= events.take().then(([, path]) => new URL(path, url).href)
      return post(await address, message, { accept: "*/*" })
    },
    leave: () => abort.abort(),
  }
}

export interface WebSocketClient {
  readonly socket: WebSocket
  /** Text frames as texts, binary ones as bytes. */
  readonly frames: Inbox<string | Buffer>
  readonly say: (message: unknown) => void
  /** Code and reason. */
  readonly closed: Promise<readonly [number, string]>
}

/** Connects; rejects with the status where the upgrade is refused. */
export const openWebSocket = (
  url: string,
  protocols: ReadonlyArray<string> = ["mcp"],
  headers: Record<string, string> = {},
): Promise<WebSocketClient> =>
  new Promise((resolve, reject) => {
    const socket = new WebSocket(url, [...protocols], { headers })
    const frames = new Inbox<string | Buffer>()
    const closed = new Promise<readonly [number, string]>((done) =>
      socket.on("close", (code, reason) => done([code, reason.toString()])),
    )
    socket.on("message", (bytes: Buffer, isBinary) =>
      frames.push(isBinary ? bytes : bytes.toString()),
    )
    socket.on("error", reject)
    socket.on("open", () =>
      resolve({
        socket,
        frames,
        say: (message) =>
          socket.send(typeof message === "string" ? message : JSON.stringify(message)),
        closed,
      }),
    )
  })
