/** What came of the address that a stream named for the messages to it. */
export type MessageAddress =
  | { readonly kind: "Use"; readonly url: URL }
  | { readonly kind: "Refuse"; readonly reason: string }

/** An address is part of every request line, and servers accept no longer ones. */
const maxLength = 8_192

/**
 * Resolves the `data` of an `endpoint` event against the address of its stream, as RFC 3986 says, with
 * its query, where the session lives (V25-SSE-03). Another origin is never used: it would get the
 * credentials that are meant for this one.
 */
export const resolveAddress = (reference: string, stream: URL): MessageAddress => {
  const refuse = (reason: string): MessageAddress => ({ kind: "Refuse", reason })
  if (reference.length > maxLength) return refuse(`it is longer than ${maxLength} characters`)
  // The empty reference is the stream itself (RFC 3986, 4.4), but no server means that.
  if (reference.trim() === "") return refuse("it is empty")
  if (!URL.canParse(reference, stream.href)) return refuse("it is no address")
  const url = new URL(reference, stream)
  if (url.origin !== stream.origin) return refuse("it is of another origin than the stream")
  if (url.username !== "" || url.password !== "") return refuse("it holds credentials")
  url.hash = ""
  return { kind: "Use", url }
}

const isRelative = (reference: string): boolean => !/^(?:[a-z][a-z0-9+.-]*:|[/\\])/i.test(reference)

const segmentsOf = (path: string): ReadonlyArray<string> =>
  path.replace(/\/$/, "").split("/").slice(1)

/** How many segments two paths begin with in common. */
const common = (one: ReadonlyArray<string>, other: ReadonlyArray<string>): number => {
  const end = one.findIndex((segment, index) => segment !== other[index])
  return end === -1 ? one.length : end
}

/**
 * The one other place where an address may be: behind the prefix that a proxy took off the path of the
 * stream before the server saw it (C092). The server and the address it named are taken to share the
 * rest of that path as far as they can. Undefined where the address shows no prefix to be missing.
 *
 * @example
 * withLostPrefix("/v1/messages/?s=1", new URL("https://h.example/api/v1/sse"))
 * // https://h.example/api/v1/messages/?s=1
 */
export const withLostPrefix = (reference: string, stream: URL): URL | undefined => {
  const named = resolveAddress(reference, stream)
  if (named.kind === "Refuse" || isRelative(reference.trim())) return undefined
  const whole = segmentsOf(stream.pathname)
  const address = segmentsOf(named.url.pathname)
  const shared = whole.map((_, lost) => common(whole.slice(lost), address))
  const most = Math.max(0, ...shared.slice(1))
  if (most === 0 && shared[0] !== 0) return undefined
  const lost = most === 0 ? whole.length - 1 : shared.indexOf(most, 1)
  if (lost < 1) return undefined
  const url = new URL(named.url)
  url.pathname = `/${whole.slice(0, lost).join("/")}${named.url.pathname}`
  return url
}

/**
 * The address that the caller wants used instead of the one that was named. The session is in the query
 * of that, so it is taken over unless the caller's address has its own.
 */
export const insteadOf = (reference: string, stream: URL, wanted: URL): URL => {
  if (wanted.search !== "" || reference.length > maxLength) return wanted
  if (!URL.canParse(reference, stream.href)) return wanted
  const url = new URL(wanted)
  url.search = new URL(reference, stream).search
  return url
}
