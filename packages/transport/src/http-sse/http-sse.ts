import * as Effect from "effect/Effect"
import { explain, InvalidInput } from "@entente/protocol"
import { redactUrl } from "@entente/trace"
import { httpEndpoint, type HttpOptions } from "../streamable-http/streamable-http.js"
import type { Transport } from "../transport.js"
import { HttpSseChannel } from "./http-sse-channel.js"
import { endpointOverdue } from "./opening-failure.js"

const defaultEndpointTimeout = 10_000

/**
 * A server of revision 2024-11-05 behind the URL of its event stream: all its messages come on that
 * stream, and each of ours is a POST to the address that the stream names (V25-SSE-01, V25-SSE-02). The
 * channel is open when that address is known; the end of the stream is the end of the session, and
 * nothing is resumed (V25-SSE-04). `http` falls back to it by itself. Throws `InvalidInput` for a URL or
 * a header that can't be one.
 *
 * @example
 * httpSse("https://example.com/api/sse", { messageUrl: "/api/messages" })
 */
export const httpSse = (url: string | URL, options: HttpOptions = {}): Transport => {
  const { place, endpoint, context, credentials } = httpEndpoint(url, options)
  const { target } = place
  const messageUrl = parseMessageUrl(options.messageUrl, endpoint, target)
  const patience = options.timeouts?.endpoint ?? defaultEndpointTimeout
  return {
    kind: "http+sse",
    ...place,
    // Whoever insists on this transport proves nothing about the others at the same URL.
    key: `http+sse ${place.key}`,
    credentials,
    open: Effect.gen(function* () {
      const shared = yield* context
      const channel = yield* Effect.acquireRelease(
        Effect.sync(() => new HttpSseChannel(shared, messageUrl)),
        (opened) => Effect.sync(() => opened.release()),
      )
      yield* channel.opened.pipe(
        Effect.timeoutOrElse({
          duration: patience,
          orElse: () => Effect.fail(endpointOverdue(patience, target)),
        }),
      )
      return channel
    }),
  }
}

const parseMessageUrl = (
  given: string | URL | undefined,
  stream: URL,
  target: string,
): URL | undefined => {
  if (given === undefined) return undefined
  const url = URL.canParse(String(given), stream.href) ? new URL(given, stream) : undefined
  if (
    url !== undefined &&
    /^https?:$/.test(url.protocol) &&
    `${url.username}${url.password}` === ""
  ) {
    url.hash = ""
    return url
  }
  const what = `messageUrl ${JSON.stringify(redactUrl(String(given)))} is no http or https URL, or holds credentials.`
  throw new InvalidInput(explain("invalid-input", "input", target, what))
}
