import { httpSse } from "./http-sse/http-sse.js"
import { streamableHttp, type HttpOptions } from "./streamable-http/streamable-http.js"
import type { Transport } from "./transport.js"

/**
 * A server behind a URL: Streamable HTTP, and where a server refuses that as one of 2024-11-05 does, the
 * HTTP+SSE of that revision at the same URL (V25-DET-01 … V25-DET-03). Throws `InvalidInput` for a URL
 * or a header that can't be one.
 *
 * @example
 * http("https://example.com/mcp", { headers: { Authorization: "Bearer …" } })
 */
export const http = (url: string | URL, options: HttpOptions = {}): Transport => ({
  ...streamableHttp(url, options),
  fallback: httpSse(url, options),
})
