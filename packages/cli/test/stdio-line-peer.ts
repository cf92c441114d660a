import { PassThrough } from "node:stream"
import type { DemoEra } from "../src/demo/identity.js"
import { serveStdio } from "../src/demo/stdio.js"

type Message = { readonly [member: string]: unknown }

/** A demo server on two pipes, spoken to line by line: raw JSON-RPC, no client. */
export class StdioLinePeer {
  readonly #input = new PassThrough()
  readonly #stop = new AbortController()
  readonly #waiting: Array<(message: Message) => void> = []
  readonly #arrived: Array<Message> = []
  /** Resolves when the server has ended. */
  readonly ended: Promise<void>

  constructor(era: DemoEra) {
    const output = {
      write: (text: string) => {
        for (const line of text.split("\n").filter((one) => one !== "")) {
          const message = JSON.parse(line) as Message // the server writes objects only
          const next = this.#waiting.shift()
          if (next === undefined) this.#arrived.push(message)
          else next(message)
        }
      },
    }
    const port = { input: this.#input, output, signal: this.#stop.signal }
    this.ended = serveStdio(port, era, "0.0.0")
  }

  write(text: string | Uint8Array): void {
    this.#input.write(text)
  }

  send(message: Message): void {
    this.write(`${JSON.stringify({ jsonrpc: "2.0", ...message })}\n`)
  }

  /** The next message that the server writes. */
  next(): Promise<Message> {
    const message = this.#arrived.shift()
    return message === undefined
      ? new Promise((resolve) => this.#waiting.push(resolve))
      : Promise.resolve(message)
  }

  ask(id: number, method: string, params: Message = {}): Promise<Message> {
    this.send({ id, method, params })
    return this.next()
  }

  /** Ends the server's input and waits for it to leave. */
  async close(): Promise<void> {
    this.#input.end()
    await this.ended
  }

  /** Interrupts the server. */
  stop(): void {
    this.#stop.abort()
  }
}

const capabilities = {}
const clientInfo = { name: "raw", version: "1" }

/** The params of `initialize`. */
export const initializeParams = (protocolVersion: string): Message => ({
  protocolVersion,
  capabilities,
  clientInfo,
})

/** The `_meta` that every modern request carries. */
export const modernMeta = (version = "2026-07-28"): Message => ({
  "io.modelcontextprotocol/protocolVersion": version,
  "io.modelcontextprotocol/clientCapabilities": capabilities,
  "io.modelcontextprotocol/clientInfo": clientInfo,
})
