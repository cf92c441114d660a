/**
 * The process behind a stdio peer. It knows no script: it passes on to the peer, over a socket, what
 * the client does to it, and does to the client what the peer says. Its one argument is the port.
 */
import { Buffer } from "node:buffer"
import { connect } from "node:net"
import process from "node:process"
import { createInterface } from "node:readline"

const peer = connect({ host: "127.0.0.1", port: Number(process.argv[2]) })

/** @param {{ open: number } | { stdin: string } | { end: true } | { signal: string }} event */
const tell = (event) => peer.write(`${JSON.stringify(event)}\n`)

const signals = /** @type {const} */ (["SIGTERM", "SIGINT"])

/** @param {number | string} status */
const leave = (status) => {
  if (typeof status === "number") process.exit(status)
  for (const signal of signals) process.removeAllListeners(signal)
  process.kill(process.pid, status)
}

/** @type {Record<string, (operand: string & number) => void>} */
const commands = {
  stdout: (base64) => process.stdout.write(Buffer.from(base64, "base64")),
  stderr: (base64) => process.stderr.write(Buffer.from(base64, "base64")),
  freeze: () => process.stdin.pause(),
  exit: (status) => process.stdout.write("", () => process.stderr.write("", () => leave(status))),
}

for (const signal of signals) process.on(signal, () => tell({ signal }))
// A client that no longer reads must not end the process: that is for the peer to decide.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {})

peer.setNoDelay()
peer.on("connect", () => {
  tell({ open: process.pid })
  process.stdin.on("data", (chunk) => tell({ stdin: chunk.toString("base64") }))
  process.stdin.on("end", () => tell({ end: true }))
})
const orders = createInterface({ input: peer })
orders.on("line", (line) => {
  for (const [name, operand] of Object.entries(JSON.parse(line))) commands[name]?.(operand)
})
// Without its peer this process is nothing; `close` follows every error.
for (const end of [orders, peer]) end.on("error", () => {})
peer.on("close", () => leave("SIGKILL"))
