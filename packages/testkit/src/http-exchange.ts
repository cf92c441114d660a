import type { Buffer } from "node:buffer"
import type { ServerResponse } from "node:http"
import { explain, InvalidInput } from "@entente/protocol"
import type { Port } from "./play.js"
import { rawBytes } from "./raw-bytes.js"
import type { HeaderValues, HttpStep, MessageStep, OverHttp, ServerSentEvent } from "./script.js"

const eventText = ({ id, event, retry, data, message }: ServerSentEvent): string => {
  const text = message === undefined ? data : JSON.stringify(message)
  const fields = [
    ["id", id],
    ["event", event],
    ["retry", retry],
    ...(text?.split(/\r\n|\r|\n/).map((line) => ["data", line] as const) ?? []),
  ] as const
  const lines = fields.flatMap(([name, value]) =>
    value === undefined ? [] : `${name}: ${value}\n`,
  )
  return `${lines.join("")}\n`
}

const json = { "content-type": "application/json" }
const eventStream = { "content-type": "text/event-stream", "cache-control": "no-cache" }

/**
 * The response of one HTTP exchange as a port. It is unsent at first; then either a body, to which
 * everything is added as bytes, or an event stream, in which messages become events.
 */
export const httpExchange = (response: ServerResponse, answers: "json" | "sse"): Port => {
  let state: "unsent" | "body" | "stream" | "over" = "unsent"
  let unwritten = 0
  let cutting = false

  const begin = (status: number, defaults: HeaderValues, headers: HeaderValues = {}): void => {
    const lowerCase = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value])
    const merged: HeaderValues = { ...defaults, ...Object.fromEntries(lowerCase) }
    response.statusCode = status
    for (const [name, value] of Object.entries(merged)) {
      if (value !== null) response.setHeader(name, value)
    }
    const type = merged["content-type"]
    state = typeof type === "string" && /^text\/event-stream/i.test(type) ? "stream" : "body"
  }

  const cut = (): void => {
    cutting = true
    // Bytes that were put before go out first: the client is to see a body that breaks off.
    if (unwritten === 0) response.socket?.destroy()
  }

  /** Adds to the body; what ends the reply goes out with it, so that short answers have a length. */
  const write = (bytes: string | Buffer, last: boolean): void => {
    if (last) {
      state = "over"
      response.end(bytes)
    } else if (bytes.length === 0) {
      response.flushHeaders()
    } else {
      unwritten += 1
      response.write(bytes, () => {
        unwritten -= 1
        if (cutting) cut()
      })
    }
  }

  const writeEvent = (text: string, { status = 200, headers }: OverHttp = {}): void => {
    if (state === "unsent") begin(status, eventStream, headers)
    write(text, false)
  }

  const writeMessage = ({ message, ...over }: MessageStep, last: boolean): void => {
    const { status = 200, headers } = over
    const asJson = last && (answers === "json" || status !== 200)
    if (state === "unsent" && asJson) begin(status, json, headers)
    if (state === "body") write(JSON.stringify(message), last)
    else writeEvent(eventText({ message }), over)
  }

  const writeHead = ({ http }: HttpStep, last: boolean): void => {
    if (state !== "unsent") {
      throw new InvalidInput(
        explain(
          "invalid-input",
          "input",
          "scripted peer",
          "`http` comes after the response began.",
        ),
      )
    }
    const { status = 200, headers, json: value, text } = http
    const plain = text === undefined ? {} : { "content-type": "text/plain" }
    begin(status, value === undefined ? plain : json, headers)
    write(value === undefined ? (text ?? "") : JSON.stringify(value), last)
  }

  return {
    state: () => (state === "over" || state === "stream" ? state : "waiting"),
    put: (output, last) => {
      if (state === "over") return
      if ("message" in output) writeMessage(output, last)
      else if ("event" in output) writeEvent(eventText(output.event))
      else if ("comment" in output) writeEvent(`: ${output.comment}\n\n`)
      else if ("http" in output) writeHead(output, last)
      else if ("raw" in output) {
        if (state === "unsent") begin(200, json)
        write(rawBytes(output.raw), last)
      }
    },
    end: (held) => {
      if (held || state === "over") return
      if (state === "unsent") response.statusCode = 202
      state = "over"
      response.end()
    },
    destroy: () => {
      if (state === "over") return
      state = "over"
      cut()
    },
  }
}
