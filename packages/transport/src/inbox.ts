import type { Note, TransportError } from "@entente/protocol"
import type { Origin, Receiver } from "./transport.js"

/**
 * Stands between what arrives and whoever listens: keeps early arrivals until there is a receiver,
 * and lets nothing through once the channel has ended or its scope was closed.
 */
export class Inbox implements Receiver {
  #receiver: Receiver | undefined
  #kept: Array<(receiver: Receiver) => void> = []
  #open = true

  readonly listen = (receiver: Receiver): void => {
    const kept = this.#kept
    this.#receiver = receiver
    this.#kept = []
    for (const deliver of kept) deliver(receiver)
  }

  message(value: unknown, origin: Origin): void {
    this.#deliver((receiver) => receiver.message(value, origin))
  }

  note(note: Note, origin?: Origin): void {
    this.#deliver((receiver) => receiver.note(note, origin))
  }

  unreadable(error: TransportError, origin: Origin): void {
    this.#deliver((receiver) => receiver.unreadable(error, origin))
  }

  /** Passes the end on, once, and shuts. */
  closed(cause: TransportError): void {
    this.#deliver((receiver) => receiver.closed(cause))
    this.#open = false
  }

  /** The owner closed the channel: whatever still arrives is of no interest. */
  shut(): void {
    this.#open = false
    this.#kept = []
  }

  #deliver(deliver: (receiver: Receiver) => void): void {
    if (!this.#open) return
    if (this.#receiver === undefined) this.#kept.push(deliver)
    else deliver(this.#receiver)
  }
}
