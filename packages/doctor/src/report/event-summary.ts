import { isJsonObject, plainText, type JsonObject } from "@entente/protocol"
import type { FrameEvent, HttpEvent, OutcomeEvent, TraceEvent } from "@entente/trace"
import { wordsOf } from "../evidence.js"

/** Who says it: the client, the server, or nobody. */
export type Arrow = "→" | "←" | "·"

/** An event in a few words. */
export interface EventSummary {
  readonly arrow: Arrow
  readonly text: string
}

/** Characters of a text that somebody else has written. */
const longest = 120

const brief = (value: unknown): string => plainText(typeof value === "string" ? value : "", longest)

/** A number or a text as it is written in JSON; anything else may be as large and as deep as somebody liked. */
const scalar = (value: unknown): string => {
  if (typeof value === "number") return String(value)
  if (typeof value === "string") return plainText(JSON.stringify(value.slice(0, longest)), longest)
  return value === null ? "null" : ""
}

const textsIn = (value: unknown): string =>
  Array.isArray(value) ? brief(value.filter((one) => typeof one === "string").join(", ")) : ""

const capabilities = ({ capabilities: declared }: JsonObject): string => {
  if (!isJsonObject(declared)) return "no capabilities"
  const names = Object.keys(declared).slice(0, 12).join(", ")
  return names === "" ? "capabilities: none" : `capabilities: ${brief(names)}`
}

/** The lists of the protocol by the member that holds their items. */
const listed = ["tools", "prompts", "resourceTemplates", "resources"] as const

const resultText = (method: string | undefined, result: JsonObject): string => {
  if (method === "initialize") return `${brief(result["protocolVersion"])}, ${capabilities(result)}`
  if (method === "server/discover") {
    return `${textsIn(result["supportedVersions"])}, ${capabilities(result)}`
  }
  const member = listed.find((name) => Array.isArray(result[name]))
  const items = member === undefined ? undefined : result[member]
  if (member === undefined || !Array.isArray(items)) return "a result"
  const one = items.length === 1 ? member.replace(/s$/, "") : member
  return `${items.length} ${one}${"nextCursor" in result ? ", and a next page" : ""}`
}

const errorText = (error: unknown): string =>
  isJsonObject(error)
    ? ["error", scalar(error["code"]), brief(error["message"])].filter(Boolean).join(" ")
    : "an error"

const requestText = (method: string, params: unknown): string => {
  if (!isJsonObject(params)) return brief(method)
  const { cursor, protocolVersion } = params
  if (method === "initialize") return `initialize ${brief(protocolVersion)}`
  return "cursor" in params
    ? `${brief(method)}, cursor ${scalar(cursor) || "of another kind"}`
    : brief(method)
}

/**
 * Puts the events of a trace into words, one after the other: an answer is told with the method that it is for,
 * so every event has to pass, in order.
 */
export class EventReader {
  /** Methods by the id of the request, of the client and of the server. */
  readonly #asked = { out: new Map<unknown, string>(), in: new Map<unknown, string>() }
  readonly #sent = new Map<string, string>()
  readonly #exchanges = new Map<number, string>()

  read(event: TraceEvent): EventSummary {
    switch (event.type) {
      case "frame":
        return this.#frame(event)
      case "outcome":
        return { arrow: "←", text: this.#outcome(event) }
      case "http":
        return event.status === undefined
          ? { arrow: "→", text: brief(`${event.method} ${event.url}`) }
          : { arrow: "←", text: this.#status(event, event.status) }
      case "process":
        return event.event === "stderr" || event.event === "noise"
          ? { arrow: "←", text: brief(`${event.event}: ${event.detail}`) }
          : { arrow: "·", text: brief(`process ${event.event}: ${event.detail}`) }
      case "experiment":
        return { arrow: "·", text: brief(`experiment of the doctor: ${event.name}`) }
      case "unreadable":
        return { arrow: "←", text: brief(`not a message: ${messageIn(event.error)}`) }
      case "channel":
        return {
          arrow: "·",
          text: brief(
            `${event.transport} ${event.event}${event.error === undefined ? "" : `: ${messageIn(event.error)}`}`,
          ),
        }
      default:
        return { arrow: "·", text: brief(wordsOf(event)) }
    }
  }

  #frame({ direction, message, channel, send, exchange }: FrameEvent): EventSummary {
    const arrow = direction === "out" ? "→" : "←"
    // A batch of 2025-03-26.
    const [first, ...more] = Array.isArray(message) ? message : [message]
    const text = this.#message(first, direction)
    if (direction === "out" && isJsonObject(first) && typeof first["method"] === "string") {
      const { method } = first
      if (send !== undefined) this.#sent.set(`${channel} ${send}`, method)
      if (exchange !== undefined && exchange !== 0) this.#exchanges.set(exchange, method)
    }
    return { arrow, text: more.length === 0 ? text : `${text}, and ${more.length} more` }
  }

  #message(message: unknown, direction: "out" | "in"): string {
    if (!isJsonObject(message)) return "something that is no message"
    const { id, method, params, result, error } = message
    if (typeof method === "string") {
      if (id !== undefined) this.#asked[direction].set(id, method)
      return requestText(method, params)
    }
    const asked = this.#asked[direction === "in" ? "out" : "in"].get(id)
    const about = asked === undefined ? `answer to ${scalar(id) || "nothing"}` : brief(asked)
    if (error !== undefined) return `${about}: ${errorText(error)}`
    if (isJsonObject(result)) return `${about}: ${resultText(asked, result)}`
    return `${about}: neither a result nor an error`
  }

  #status({ exchange }: HttpEvent, status: number): string {
    const method = this.#exchanges.get(exchange)
    return method === undefined ? `HTTP ${status}` : `${brief(method)}: HTTP ${status}`
  }

  #outcome({ channel, send, outcome }: OutcomeEvent): string {
    const method = this.#sent.get(`${channel} ${send}`)
    const about = method === undefined ? "" : `${brief(method)}: `
    if (!isJsonObject(outcome)) return `${about}an end`
    const { rejection, error, _tag: tag } = outcome
    if (isJsonObject(rejection)) {
      const { json } = rejection
      const refused =
        isJsonObject(json) && json["error"] !== undefined ? `, ${errorText(json["error"])}` : ""
      return `${about}HTTP ${scalar(rejection["status"])}${refused}`
    }
    return `${about}${error === undefined ? brief(tag) : messageIn(error)}`
  }
}

const messageIn = (error: unknown): string =>
  isJsonObject(error) ? brief(error["message"]) || brief(error["code"]) : ""
