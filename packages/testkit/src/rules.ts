import { rpcCode, type JsonObject, type RequestId } from "@entente/protocol"
import type { Rule, Script, Step } from "./script.js"

/** The same server with rules that go before its own: the way to make an honest one hostile. */
export const withRules = (script: Script, ...rules: ReadonlyArray<Rule>): Script => ({
  ...script,
  rules: [...rules, ...script.rules],
})

/** A tool as `tools/list` gives it; it takes any object unless `extra` says otherwise. */
export const tool = (name: string, extra: JsonObject = {}): JsonObject => ({
  name,
  inputSchema: { type: "object" },
  ...extra,
})

/** A request of the server, for `message` steps and `send`. */
export const request = (id: RequestId, method: string, params?: JsonObject): JsonObject => ({
  jsonrpc: "2.0",
  id,
  method,
  ...(params && { params }),
})

/** A notification of the server, for `message` steps and `send`. */
export const notification = (method: string, params?: JsonObject): JsonObject => ({
  jsonrpc: "2.0",
  method,
  ...(params && { params }),
})

/** An error that refuses a message, over HTTP with this status. */
export const refusal = (
  status: number,
  code: number,
  message: string,
  data?: unknown,
): ReadonlyArray<Step> => [
  { status, error: { code, message, ...(data !== undefined && { data }) } },
]

/**
 * A list in pages. The first is what a request without cursor gets; each other one is what the
 * `nextCursor` of the page before it asks for. Any other cursor is refused with -32602.
 *
 * @example
 * pages("tools/list", [{ tools: [tool("a")], nextCursor: "p2" }, { tools: [tool("b")] }])
 */
export const pages = (method: string, results: ReadonlyArray<JsonObject>): ReadonlyArray<Rule> => [
  ...results.map((result, index): Rule => {
    const cursor = index === 0 ? { $present: false } : results[index - 1]?.["nextCursor"]
    return { when: { kind: "request", method, params: { cursor } }, reply: [{ result }] }
  }),
  {
    when: { kind: "request", method },
    reply: refusal(400, rpcCode.invalidParams, "Unknown cursor"),
  },
]

/** A GET opens an event stream that says nothing by itself; `send` writes to it. */
export const listening: Rule = {
  when: { httpMethod: "GET" },
  reply: [{ http: { headers: { "content-type": "text/event-stream" } } }, { silence: true }],
}

const refuseHeader = (
  httpMethod: string,
  header: string,
  mediaType: string,
  status: number,
): Rule => ({
  when: { httpMethod, headers: { [header]: { $lacks: mediaType } } },
  reply: [
    {
      error: { code: rpcCode.invalidRequest, message: `${header} must name ${mediaType}` },
      id: null,
      status,
    },
  ],
})

/** What a server over HTTP insists on, whatever its era (V25-HTTP-02, V26-HDR-07). */
export const mediaTypeRules: ReadonlyArray<Rule> = [
  refuseHeader("POST", "content-type", "application/json", 415),
  refuseHeader("POST", "accept", "application/json", 406),
  refuseHeader("POST", "accept", "text/event-stream", 406),
]

/** The GET stream of a server that looks at what is accepted (V25-HTTP-11). */
export const listeningRules: ReadonlyArray<Rule> = [
  refuseHeader("GET", "accept", "text/event-stream", 406),
  listening,
]
