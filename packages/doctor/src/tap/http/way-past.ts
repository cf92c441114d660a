import type { Trace } from "@entente/trace"
import { redactUrl } from "@entente/trace"

const absolute = (reference: string): URL | undefined => {
  try {
    return new URL(reference)
  } catch {
    return undefined
  }
}

/**
 * Says where an answer leads a client past the tap: with an address of the server's own. Its bytes are not
 * ours to change, so that all that can be done is to say it.
 */
export class WayPast {
  readonly #trace: Trace
  readonly #said = new Set<string>()

  constructor(trace: Trace) {
    this.#trace = trace
  }

  /** `event: endpoint` of 2024-11-05: where messages go. */
  endpoint(reference: string): void {
    const url = absolute(reference)
    if (url !== undefined) this.#say("for messages", url)
  }

  /** Where a client is sent for the metadata of a resource. */
  challenge(header: string | undefined): void {
    const [, named = ""] = /resource_metadata\s*=\s*"([^"]*)"/i.exec(header ?? "") ?? []
    const url = absolute(named)
    if (url !== undefined) this.#say("for the metadata of authorization", url)
  }

  #say(what: string, url: URL): void {
    if (this.#said.has(what)) return
    this.#said.add(what)
    const place = redactUrl(url.href)
    const detail = `The server names ${place} ${what}, an address of its own: what goes there does not pass the tap.`
    this.#trace.emit({ type: "note", code: "tap-bypassed", detail })
  }
}
