import type { ServerResponse } from "node:http"
import { httpExchange } from "./http-exchange.js"
import type { Port } from "./play.js"

/** The event stream of one client, on which everything comes that is said to it. */
export interface ChannelPort {
  readonly port: Port
  /** The stream is gone. */
  readonly left: () => void
  /** Calls when the stream is gone, at once where it is already. */
  readonly onLeft: (listener: () => void) => void
}

/** The response to the GET. It stays open when steps are over; `close` ends it. */
export const channelPort = (response: ServerResponse, address: string): ChannelPort => {
  const exchange = httpExchange(response, "sse")
  const listeners: Array<() => void> = []
  let begun = false
  let gone = false

  const port: Port = {
    state: () => (gone || exchange.state() === "over" ? "over" : begun ? "stream" : "waiting"),
    put: (output, last) => {
      if (!begun && "raw" in output) {
        exchange.put({ http: { headers: { "content-type": "text/event-stream" } } }, false)
      }
      begun = true
      if ("close" in output) exchange.end(false)
      else if ("message" in output) {
        exchange.put({ event: { event: "message", message: output.message } }, false)
      } else exchange.put(output, "http" in output && last)
    },
    end: (held) => {
      if (!held && !begun) port.put({ event: { event: "endpoint", data: address } }, false)
    },
    destroy: exchange.destroy,
  }
  return {
    port,
    left: () => {
      gone = true
      for (const listener of listeners.splice(0)) listener()
    },
    onLeft: (listener) => {
      if (gone) listener()
      else listeners.push(listener)
    },
  }
}

/**
 * A message that was POSTed. It is accepted with 202 as soon as its reply begins or is over without a word;
 * `http` answers the POST otherwise. All else goes to the stream.
 */
export const messagePort = (response: ServerResponse, { port: stream }: ChannelPort): Port => {
  const answer = httpExchange(response, "json")
  const accept = (): void => answer.end(false)
  return {
    state: () => (stream.state() === "over" ? "over" : "waiting"),
    put: (output) => {
      if ("http" in output) return answer.put(output, true)
      accept()
      stream.put(output, false)
    },
    end: (held) => {
      if (!held) accept()
    },
    destroy: () => {
      accept()
      stream.destroy()
    },
  }
}
