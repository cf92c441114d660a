import type { HttpAnswer, HttpEngine, HttpRequest, OpenHttpEngine } from "./http-engine.js"

/** The part of `fetch` that is used. */
export type Fetch = (url: URL, init: RequestInit) => Promise<Response>

/**
 * Speaks HTTP through `fetch`: for browsers and workers, and wherever the caller brings one. How
 * connections come about is its own affair: it knows neither a deadline for connecting nor a proxy.
 */
export const fetchEngine = (fetch: Fetch): HttpEngine => {
  const live = new Set<AbortController>()
  return {
    start: (request, answer) => {
      const controller = new AbortController()
      live.add(controller)
      void exchange(fetch, request, answer, controller.signal).finally(() =>
        live.delete(controller),
      )
      return () => {
        controller.abort()
        return true // How far it had come is not shown.
      }
    },
    close: async () => {
      for (const controller of live) controller.abort()
    },
  }
}

/** Throws where a proxy was named: a platform without sockets would leave it out without a word. */
export const openHttpEngine: OpenHttpEngine = ({ proxy }) => {
  if (proxy instanceof URL) throw new TypeError("A proxy can be named on Node only.")
  return fetchEngine((url, init) => globalThis.fetch(url, init))
}

const exchange = async (
  fetch: Fetch,
  { method, url, headers, body }: HttpRequest,
  answer: HttpAnswer,
  signal: AbortSignal,
): Promise<void> => {
  let connected = false
  try {
    const response = await fetch(url, {
      method,
      headers,
      signal,
      ...(body === undefined ? {} : { body }),
      redirect: "manual",
    })
    if (signal.aborted) return
    connected = true
    if (response.type === "opaqueredirect") throw new Error("it redirects, the browser hides where")
    answer.head(response.status, Object.fromEntries(response.headers))
    if (response.body !== null) await read(response.body, answer, signal)
    if (!signal.aborted) answer.end()
  } catch (cause) {
    if (!signal.aborted) answer.failed(cause, connected || !neverConnected(cause))
  }
}

const read = async (
  body: ReadableStream<Uint8Array>,
  answer: HttpAnswer,
  signal: AbortSignal,
): Promise<void> => {
  const reader = body.getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done || signal.aborted) return
    answer.chunk(value)
  }
}

/** Causes that Node's fetch names; a browser hides them, so there anything may have arrived. */
const beforeConnection = new Set([
  "ECONNREFUSED",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "UND_ERR_CONNECT_TIMEOUT",
])

const neverConnected = (cause: unknown): boolean => {
  const inner = cause instanceof Error && cause.cause !== undefined ? cause.cause : cause
  return inner instanceof Error && "code" in inner && beforeConnection.has(String(inner.code))
}
