import { isJsonObject, type JsonObject } from "@entente/protocol"
import type { FrameEvent, HttpEvent, TraceEvent } from "@entente/trace"
import type { Style } from "./style.js"
import { oneLine } from "./visible-text.js"
import { cut } from "./width.js"

/** A request that has no answer yet. */
interface Waiting {
  readonly method: string
  readonly at: number
}

/** How many requests are kept in mind; of more, the oldest are taken for unanswered. */
const mostWaiting = 10_000

/** Columns for a text of somebody else. */
const most = 60

const shown = (text: unknown): string => cut(oneLine(String(text)), most)

const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? "" : "s"}`

/** What lists are called in results, and one of their items by people. */
const lists = {
  tools: "tool",
  prompts: "prompt",
  resources: "resource",
  resourceTemplates: "template",
} as const

const listed = (result: JsonObject): string | undefined => {
  for (const [member, name] of Object.entries(lists)) {
    const items = result[member]
    if (!Array.isArray(items)) continue
    const more = typeof result["nextCursor"] === "string" ? ", more to come" : ""
    return counted(items.length, name) + more
  }
  return undefined
}

/** What an answer brought, in a few words. */
const brought = (result: JsonObject): string => {
  const { protocolVersion, supportedVersions, isError } = result
  if (typeof protocolVersion === "string") return shown(protocolVersion)
  if (Array.isArray(supportedVersions)) return shown(supportedVersions.join(", "))
  if (isError === true) return "the tool reported an error"
  return listed(result) ?? "ok"
}

/** Says live what passes a tap, a line for each thing, and how it was in the end. */
export class TapSummary {
  readonly #say: (line: string) => void
  readonly #style: Style
  readonly #waiting = new Map<string, Waiting>()
  readonly #counts = { messages: 0, requests: 0, answered: 0, errors: 0, refused: 0 }

  /** @param say writes one line */
  constructor(say: (line: string) => void, style: Style) {
    this.#say = say
    this.#style = style
  }

  readonly read = (event: TraceEvent): void => {
    switch (event.type) {
      case "frame":
        return this.#frame(event)
      case "http":
        return this.#http(event)
      case "process":
        if (event.event === "exited") this.#say(`the server ended: ${shown(event.detail)}`)
        return
      case "error":
        return this.#say(this.#style.bad(shown(event.message)))
      case "note":
        if (!event.code.startsWith("tap-")) return
        return this.#say(this.#style.warning(oneLine(event.detail)))
      default:
    }
  }

  /** One line for all of it. */
  get total(): string {
    const { messages, requests, answered, errors, refused } = this.#counts
    const unanswered = requests - answered
    const parts = [
      counted(messages, "message"),
      counted(requests, "request"),
      `${answered} answered`,
      ...(errors > 0 ? [`${errors} with an error`] : []),
      ...(unanswered > 0 ? [`${unanswered} without an answer`] : []),
      ...(refused > 0 ? [counted(refused, "HTTP refusal")] : []),
    ]
    return parts.join(", ")
  }

  /** Requests that nobody has answered. */
  get unanswered(): ReadonlyArray<string> {
    return [...this.#waiting.values()].map(({ method }) => method)
  }

  #frame({ message, direction, channel, at }: FrameEvent): void {
    for (const one of Array.isArray(message) ? message : [message]) {
      this.#counts.messages += 1
      if (!isJsonObject(one) || !("id" in one)) continue
      const asker = "method" in one ? direction : direction === "out" ? "in" : "out"
      const key = `${channel} ${asker} ${String(one["id"])}`
      if ("method" in one) this.#asked(key, { method: shown(one["method"]), at })
      else this.#answered(key, one, asker, at)
    }
  }

  #asked(key: string, request: Waiting): void {
    this.#counts.requests += 1
    this.#waiting.set(key, request)
    if (this.#waiting.size <= mostWaiting) return
    for (const oldest of this.#waiting.keys()) {
      this.#waiting.delete(oldest)
      return
    }
  }

  #answered(key: string, answer: JsonObject, asker: "out" | "in", at: number): void {
    const id = shown(JSON.stringify(answer["id"]))
    const asked = this.#waiting.get(key)
    if (asked === undefined) {
      return this.#say(this.#style.warning(`an answer to ${id}, which nobody has asked`))
    }
    this.#waiting.delete(key)
    this.#counts.answered += 1
    // What the server asks and the client answers is the other way round.
    const who = asker === "in" ? "server asks " : ""
    const head = `${who}${asked.method} (${id}) ${at - asked.at} ms`
    const { error, result } = answer
    if (error === undefined) {
      return this.#say(`${head}, ${isJsonObject(result) ? brought(result) : "ok"}`)
    }
    this.#counts.errors += 1
    const { code, message } = isJsonObject(error) ? error : {}
    this.#say(`${head}, ${this.#style.bad(`error ${shown(code)}`)} ${shown(message)}`)
  }

  #http({ status, method, url }: HttpEvent): void {
    if (status === undefined || (status >= 200 && status < 300)) return
    this.#counts.refused += 1
    const path = URL.canParse(url) ? new URL(url).pathname : url
    this.#say(`${this.#style.warning(`HTTP ${status}`)} to ${shown(method)} ${shown(path)}`)
  }
}
