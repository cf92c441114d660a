import type { EntenteError } from "@entente/protocol"

export interface LegacySubscriberOwner {
  readonly ask: (
    method: "resources/subscribe" | "resources/unsubscribe",
    uri: string,
    done: (error: EntenteError | undefined) => void,
  ) => void
  /** Whether anybody wants to hear of it now. */
  readonly wants: (uri: string) => boolean
  readonly agreed: (uri: string) => void
  readonly refused: (uri: string, error: EntenteError) => void
}

interface Standing {
  /** Whether the server tells of it, as far as we know. */
  subscribed: boolean
  /** A request about it is under way: over HTTP a second one might overtake it. */
  asking: boolean
}

/** Keeps a legacy server informed of which resources are wanted; one request at a time for each of them. */
export class LegacySubscriber {
  readonly #standings = new Map<string, Standing>()
  readonly #owner: LegacySubscriberOwner
  /** Counts how often the server may have forgotten everything. */
  #session = 0

  constructor(owner: LegacySubscriberOwner) {
    this.#owner = owner
  }

  /** What the server tells of now. */
  get subscribed(): ReadonlyArray<string> {
    return [...this.#standings].flatMap(([uri, { subscribed }]) => (subscribed ? [uri] : []))
  }

  /** Subscriptions live in the session, and it is gone. */
  forget(): void {
    this.#session++
    for (const standing of this.#standings.values()) standing.subscribed = false
  }

  /** Brings the server in line with what is wanted of one resource. */
  follow(uri: string): void {
    const standing = this.#standings.get(uri) ?? { subscribed: false, asking: false }
    this.#standings.set(uri, standing)
    if (standing.asking) return
    const wanted = this.#owner.wants(uri)
    if (wanted !== standing.subscribed) return this.#ask(uri, standing, wanted)
    if (wanted) this.#owner.agreed(uri)
    else this.#standings.delete(uri)
  }

  #ask(uri: string, standing: Standing, wanted: boolean): void {
    const session = this.#session
    standing.asking = true
    this.#owner.ask(wanted ? "resources/subscribe" : "resources/unsubscribe", uri, (error) => {
      standing.asking = false
      const isLate = session !== this.#session
      standing.subscribed = wanted && error === undefined && !isLate
      const refused = wanted && error !== undefined && !isLate
      if (refused) this.#owner.refused(uri, error)
      // What was refused is asked for again only when somebody else wants it.
      if (!refused || !this.#owner.wants(uri)) this.follow(uri)
    })
  }
}
