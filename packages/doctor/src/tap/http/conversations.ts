import { isJsonObject } from "@entente/protocol"
import type { ChannelLog, RecordingLog } from "@entente/transport/tapping"

/** How many sessions, and how many events of resumable streams, are remembered. */
const mostRemembered = 1_000

/** Remembers the youngest. */
class Memory<Value> {
  readonly #values = new Map<string, Value>()

  get(key: string): Value | undefined {
    return this.#values.get(key)
  }

  set(key: string, value: Value): void {
    this.#values.delete(key)
    this.#values.set(key, value)
    if (this.#values.size <= mostRemembered) return
    for (const oldest of this.#values.keys()) {
      this.#values.delete(oldest)
      return
    }
  }
}

/** How the opening of a conversation stands; one that was refused is tried again in the same conversation. */
type Opening = "pending" | "accepted" | "refused"

const openings = ["initialize", "server/discover"] as const
type OpeningMethod = (typeof openings)[number]

/** The method of a message that opens a conversation. */
export const openingOf = (message: unknown): OpeningMethod | undefined => {
  const method = isJsonObject(message) ? message["method"] : undefined
  return openings.find((known) => known === method)
}

/** What one client and the server say to each other: a channel of the recording. */
export class Conversation {
  readonly log: ChannelLog
  /** Answers come on the stream of 2024-11-05, and not where the message went. */
  readonly shared: boolean
  /** The exchange of each event that a stream may be gone on with from. */
  readonly events = new Memory<number>()
  readonly #opened = new Map<OpeningMethod, Opening>()
  #over = false

  constructor(log: ChannelLog, shared: boolean) {
    this.log = log
    this.shared = shared
    log.opened(shared ? "shared" : "per-request")
  }

  /** Whether somebody who opens like this can only be another client, or the same one anew. */
  isAnother(method: OpeningMethod): boolean {
    const before: ReadonlyArray<OpeningMethod> = method === "initialize" ? ["initialize"] : openings
    return before.some((one) => (this.#opened.get(one) ?? "refused") !== "refused")
  }

  /** Whether the server has taken an opening. */
  get isOpen(): boolean {
    return [...this.#opened.values()].includes("accepted")
  }

  opening(method: OpeningMethod, state: Opening): void {
    this.#opened.set(method, state)
  }

  released(): void {
    if (!this.#over) this.log.released()
    this.#over = true
  }
}

/** Tells the clients of one tap apart, as far as what they say shows it. */
export class Conversations {
  readonly #recording: RecordingLog
  readonly #target: string
  readonly #all = new Set<Conversation>()
  readonly #sessions = new Memory<Conversation>()
  readonly #addresses = new Memory<Conversation>()
  #latest: Conversation | undefined

  constructor(recording: RecordingLog, target: string) {
    this.#recording = recording
    this.#target = target
  }

  /** The conversation of a message: by its session or its address, or the youngest that it can belong to. */
  ofMessage(message: unknown, address: string, sessionId: string | undefined): Conversation {
    const known = this.ofAddress(address) ?? this.#ofSession(sessionId)
    if (known !== undefined) return known
    const method = openingOf(message)
    const latest = this.#latest
    const another = latest === undefined || (method !== undefined && latest.isAnother(method))
    const conversation = another ? this.#begin("streamable-http", false) : latest
    if (method !== undefined) conversation.opening(method, "pending")
    return conversation
  }

  /** The server knows the session no more: who opens next goes on with this one (V25-HTTP-32). */
  expired(conversation: Conversation): void {
    conversation.opening("initialize", "refused")
    if (!conversation.shared) this.#latest = conversation
  }

  /** Whether a stream may be the one of 2024-11-05, which comes before everything else. */
  mayBeOld(sessionId: string | undefined): boolean {
    return sessionId === undefined && this.#latest?.isOpen !== true
  }

  ofStream(sessionId: string | undefined): Conversation {
    return this.#ofSession(sessionId) ?? this.#latest ?? this.#begin("streamable-http", false)
  }

  /** The one whose messages go to this address, where a stream has named it. */
  ofAddress(address: string): Conversation | undefined {
    return this.#addresses.get(address)
  }

  /** A stream of 2024-11-05 has begun: whatever goes to the address that it names belongs to it. */
  ofOldStream(address: string): Conversation {
    const conversation = this.#begin("http+sse", true)
    this.#addresses.set(address, conversation)
    return conversation
  }

  /** The answer to an opening has given it an id. */
  named(conversation: Conversation, sessionId: string): void {
    this.#sessions.set(sessionId, conversation)
  }

  close(): void {
    for (const conversation of this.#all) conversation.released()
  }

  #ofSession(sessionId: string | undefined): Conversation | undefined {
    return sessionId === undefined ? undefined : this.#sessions.get(sessionId)
  }

  #begin(transport: string, shared: boolean): Conversation {
    const log = this.#recording.open({ transport, target: this.#target })
    const conversation = new Conversation(log, shared)
    this.#all.add(conversation)
    if (this.#all.size > mostRemembered) this.#forgetOldest()
    if (!shared) this.#latest = conversation
    return conversation
  }

  /** Some clients open a conversation for every call. */
  #forgetOldest(): void {
    for (const oldest of this.#all) {
      oldest.released()
      this.#all.delete(oldest)
      return
    }
  }
}
