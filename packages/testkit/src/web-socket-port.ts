import type { Buffer } from "node:buffer"
import { ServerResponse, type IncomingMessage } from "node:http"
import type { Socket } from "node:net"
import type { WebSocket } from "ws"
import { explain, InvalidInput } from "@entente/protocol"
import { httpExchange } from "./http-exchange.js"
import type { Port } from "./play.js"
import { rawBytes } from "./raw-bytes.js"
import type { HttpStep, Output } from "./script.js"

/** The response that refuses an upgrade, as an exchange of its own. */
const refusal = (request: IncomingMessage, socket: Socket): Port => {
  const response = new ServerResponse(request)
  response.shouldKeepAlive = false
  response.assignSocket(socket)
  response.on("finish", () => socket.end())
  return httpExchange(response, "json")
}

/**
 * A WebSocket connection as a port, from the request for it on: what is put out first decides whether the
 * upgrade is refused (`http`) or accepted (anything else, or nothing).
 *
 * @param upgrade accepts the request; calls back at once, or not at all where the request is no upgrade
 */
export const webSocketPort = (
  request: IncomingMessage,
  socket: Socket,
  upgrade: (accepted: (connection: WebSocket) => void) => void,
): Port => {
  let connection: WebSocket | undefined
  let refused: Port | undefined
  let over = false
  let unwritten = 0
  let cutting = false

  const cut = (): void => {
    cutting = true
    // What was put before goes out first: the client is to see where the connection breaks off.
    if (unwritten === 0) socket.destroy()
  }

  const accept = (): void => {
    if (connection !== undefined) return
    upgrade((accepted) => {
      connection = accepted
      accepted.on("error", () => {}) // a frame that breaks the rules; `close` follows
    })
    over = connection === undefined
  }

  const frame = (bytes: Buffer | string, binary: boolean, fin = true): void => {
    unwritten += 1
    connection?.send(bytes, { binary, fin }, () => {
      unwritten -= 1
      if (cutting) cut()
    })
  }

  const refuse = ({ http }: HttpStep, last: boolean): void => {
    if (connection !== undefined) {
      throw new InvalidInput(
        explain("invalid-input", "input", "scripted peer", "`http` comes after the upgrade."),
      )
    }
    refused = refusal(request, socket)
    refused.put({ http }, last)
  }

  const say = (output: Output): void => {
    accept()
    if ("message" in output) frame(JSON.stringify(output.message), false)
    else if ("raw" in output) frame(rawBytes(output.raw), false)
    else if ("binary" in output) frame(rawBytes(output.binary), true)
    else if ("fragments" in output) {
      for (const [index, part] of output.fragments.entries()) {
        frame(rawBytes(part), false, index === output.fragments.length - 1)
      }
    } else if ("freeze" in output) connection?.pause()
    else if ("close" in output) {
      over = true
      connection?.close(output.close, output.reason)
    }
  }

  return {
    state: () => {
      if (refused !== undefined) return refused.state()
      if (over) return "over"
      return connection === undefined ? "waiting" : "stream"
    },
    put: (output, last) => {
      if (over) return
      if (refused !== undefined) refused.put(output, last)
      else if ("http" in output) refuse(output, last)
      else say(output)
    },
    end: (held) => {
      if (refused !== undefined) refused.end(held)
      else if (!held && !over) accept()
    },
    destroy: () => {
      if (over) return
      over = true
      cut()
    },
  }
}
