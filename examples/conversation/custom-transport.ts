import type { MessagePort } from "node:worker_threads"
import * as Effect from "effect/Effect"
import { Unreachable, explain } from "@entente/protocol"
import type { Channel, Receiver, Transport } from "@entente/transport"

/**
 * A transport of one's own: a server behind a `MessagePort`, in a worker or another window. It carries messages and
 * knows nothing of MCP: handshake, recovery, lists and calls come with the client.
 *
 * Connection: the port is ready when it is started. Framing: one message per `postMessage`. Cancellation: by
 * notification, because all messages share the port (V25-CUST-01, V26-CUST-05).
 */
export const messagePort = (port: MessagePort, name: string): Transport => ({
  kind: "message-port",
  target: name,
  key: `message-port:${name}`,
  open: Effect.acquireRelease(
    Effect.sync(() => openChannel(port, name)),
    () => Effect.sync(() => port.close()),
  ),
})

const openChannel = (port: MessagePort, name: string): Channel => ({
  exchanges: "shared",
  listen: (receiver: Receiver) => {
    port.on("message", (value: unknown) => receiver.message(value, { exchange: 0 }))
    port.on("close", () =>
      receiver.closed(
        new Unreachable(explain("unreachable", "request", name, "The port is closed.")),
      ),
    )
  },
  send: ({ message }, settled) => {
    port.postMessage(message)
    // As all transports do: never before `send` has returned.
    queueMicrotask(() => settled({ _tag: "Written" }))
    return { exchange: 0, abort: () => {} }
  },
})
