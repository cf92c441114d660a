import { explain, InvalidInput } from "@entente/protocol"
import { isExchangeFailure } from "./exchange-failure.js"
import type { HeaderRecord, HeaderSupplier, RequestHead } from "./request-decorator.js"

/** Where the headers of a request come from; the later ones win (C128). */
export interface HeaderSources {
  readonly target: string
  /** The same on every request. */
  readonly fixed: HeaderRecord
  /** Asked before every request, in this order. */
  readonly suppliers: ReadonlyArray<HeaderSupplier>
}

/**
 * Puts the headers of a request together: fixed ones, those of the suppliers, those of the caller for
 * this message, and on top those of the protocol, which nobody can replace or take away (C121, C128).
 * Throws `InvalidInput` for what can't be a header, and where a supplier fails with an error that is
 * not Entente's own.
 */
export class RequestHeaders {
  readonly #sources: HeaderSources
  readonly #fixed: HeaderRecord

  constructor(sources: HeaderSources) {
    this.#sources = sources
    this.#fixed = this.#checked(sources.fixed, isFree)
  }

  /** The headers at once where no supplier has to be waited for. */
  of(
    request: RequestHead,
    protocol: HeaderRecord,
    caller: HeaderRecord | undefined,
  ): HeaderRecord | Promise<HeaderRecord> {
    const { suppliers } = this.#sources
    if (suppliers.length === 0) return this.#merge([], protocol, caller)
    return this.#supplied(request).then((supplied) => this.#merge(supplied, protocol, caller))
  }

  async #supplied(request: RequestHead): Promise<ReadonlyArray<HeaderRecord>> {
    try {
      return await Promise.all(this.#sources.suppliers.map((supply) => supply(request)))
    } catch (cause) {
      if (isExchangeFailure(cause)) throw cause
      const what = "The headers of a request could not be had: their supplier failed."
      throw new InvalidInput({ ...this.#explain(what), cause })
    }
  }

  #merge(
    supplied: ReadonlyArray<HeaderRecord>,
    protocol: HeaderRecord,
    caller: HeaderRecord | undefined,
  ): HeaderRecord {
    const merged: Record<string, string> = { ...this.#fixed }
    for (const headers of supplied) Object.assign(merged, this.#checked(headers, isFree))
    if (caller !== undefined) Object.assign(merged, this.#checked(caller, isFree))
    return Object.assign(merged, this.#checked(protocol, isAny))
  }

  #checked(headers: HeaderRecord, isWanted: (name: string) => boolean): HeaderRecord {
    const checked: Record<string, string> = {}
    for (const [given, value] of Object.entries(headers)) {
      const name = given.toLowerCase()
      if (!isWanted(name)) continue
      if (!headerName.test(name)) throw this.#refuse(given, "is no legal header name")
      if (ofTheConnection.has(name) || name.startsWith("sec-websocket-"))
        throw this.#refuse(given, "belongs to the HTTP connection")
      if (!headerValue.test(value)) {
        throw this.#refuse(given, "has a line break or another character that no header can carry")
      }
      checked[name] = value
    }
    return checked
  }

  /** Names the header, never its value. */
  #refuse(name: string, why: string): InvalidInput {
    return new InvalidInput(this.#explain(`The header ${JSON.stringify(name)} ${why}.`))
  }

  #explain(what: string) {
    return explain("invalid-input", "input", this.#sources.target, what)
  }
}

const headerName = /^[!#$%&'*+\-.^_`|~0-9a-z]+$/
/** Visible characters, spaces and tabs of Latin-1, which is all that HTTP/1.1 can carry. */
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/

/** They say how the bytes travel, which is the engine's business. */
const ofTheConnection = new Set([
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  // A proxy's credentials stand in its own address: here they would reach the server.
  "proxy-authorization",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
])

const isAny = (): boolean => true
/** The protocol's own headers are not the user's to give: theirs would make a server misread us. */
const isFree = (name: string): boolean =>
  name !== "accept" && name !== "content-type" && !name.startsWith("mcp-")
