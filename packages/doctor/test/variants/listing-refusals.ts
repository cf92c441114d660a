import { refusal, type Rule, type Script, type Step } from "@entente/testkit"
import type { Era } from "@entente/protocol"
import {
  everywhere,
  listing,
  listingIn,
  overHttp,
  page,
  spoilt,
  whenListed,
} from "./listing-servers.js"
import { tool } from "@entente/testkit"
import type { Variant } from "./variant.js"

const failed = { verdict: "failed" } as const

/** The list, where a condition on the params holds; elsewhere this refusal. */
const insists = (
  era: Era,
  params: NonNullable<Rule["when"]["params"]>,
  no: ReadonlyArray<Step>,
): Script =>
  spoilt(
    era,
    whenListed([{ result: page(era, { tools: [tool("echo")] }) }], params),
    whenListed(no),
  )

const invalid = (message: string, data?: unknown): ReadonlyArray<Step> =>
  refusal(400, -32602, message, data)

/** What a validator of JavaScript says, as the text of an error. */
const zod = (path: ReadonlyArray<string>, issue: object): string =>
  `Invalid params: ${JSON.stringify([{ code: "invalid_type", path, ...issue }], null, 2)}`

const htmlPage = "<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n</html>"

/** Family 2: `tools/list` is refused. */
export const listingRefusals: ReadonlyArray<Variant> = [
  ...everywhere((era) => ({
    ...failed,
    name: "declared-but-unknown",
    expects: "list-method-unknown",
    script: () => listing(era, { error: { code: -32601, message: "Method not found" } }),
  })),
  ...everywhere((era) => ({
    ...failed,
    name: "internal-error",
    expects: "list-server-error",
    script: () =>
      listing(era, { error: { code: -32603, message: "Cannot read properties of undefined" } }),
  })),
  ...overHttp((era) => ({
    ...failed,
    name: "http-500",
    expects: "list-server-error",
    script: () => listing(era, { http: { status: 500, text: "Internal Server Error" } }),
  })),
  ...overHttp((era) => ({
    ...failed,
    name: "bad-gateway",
    expects: "list-failed-between",
    script: () =>
      listing(era, {
        http: {
          status: 502,
          headers: { server: "nginx/1.24.0", "content-type": "text/html" },
          text: htmlPage,
        },
      }),
  })),
  ...overHttp((era) => ({
    ...failed,
    name: "gateway-timeout",
    expects: "list-failed-between",
    script: () =>
      listing(era, { http: { status: 504, headers: { via: "1.1 gateway" }, text: "" } }),
  })),
  ...everywhere((era) => ({
    ...failed,
    name: "refused-by-another-code",
    expects: "list-refused",
    script: () => listing(era, { error: { code: -32000, message: "Not ready" } }),
  })),
  // The form of the request: settled by asking in other forms, whatever the error says.
  ...listingIn({ eras: ["legacy"] })((era) => ({
    ...failed,
    name: "params-insisted-on",
    expects: "list-params-refused",
    // Zod names the path, and the doctor finds that {} will do.
    script: () =>
      spoilt(
        era,
        whenListed(invalid(zod(["params"], { expected: "object", received: "undefined" })), {
          $present: false,
        }),
      ),
  })),
  ...listingIn({ eras: ["legacy"] })((era) => ({
    ...failed,
    name: "params-missing-crash",
    expects: "list-params-refused",
    script: () =>
      spoilt(
        era,
        whenListed(
          [{ error: { code: -32603, message: "'NoneType' object has no attribute 'get'" } }],
          { $present: false },
        ),
      ),
  })),
  ...listingIn({ eras: ["legacy"] })((era) => ({
    ...failed,
    name: "meta-insisted-on",
    expects: "list-params-refused",
    script: () =>
      insists(
        era,
        { _meta: { $present: true } },
        invalid("1 validation error for ListToolsRequest", [
          { type: "missing", loc: ["params", "_meta"], msg: "Field required" },
        ]),
      ),
  })),
  ...listingIn({ eras: ["modern"] })((era) => ({
    ...failed,
    name: "meta-refused",
    expects: "list-params-refused",
    script: () =>
      insists(
        era,
        { _meta: { $present: false } },
        invalid(zod(["params"], { code: "unrecognized_keys", keys: ["_meta"] })),
      ),
  })),
  ...everywhere((era) => ({
    ...failed,
    name: "cursor-insisted-on",
    expects: "list-params-refused",
    script: () =>
      insists(
        era,
        { cursor: { $present: true } },
        invalid("ValidationError", {
          details: [{ message: '"cursor" is required', path: ["cursor"] }],
        }),
      ),
  })),
  ...everywhere((era) => ({
    ...failed,
    name: "params-refused-whatever-they-are",
    expects: "list-params-refused",
    script: () => listing(era, ...invalid("Invalid params")),
  })),
  // The client is at fault: it sends a cursor that is none.
  ...listingIn({ eras: ["legacy"] })((era) => ({
    ...failed,
    name: "null-cursor-sent",
    expects: "list-params-refused",
    script: () =>
      spoilt(
        era,
        whenListed(
          invalid("1 validation error", [
            {
              type: "string_type",
              loc: ["params", "cursor"],
              msg: "Input should be a valid string",
            },
          ]),
          { cursor: null },
        ),
      ),
    client: async (client) => {
      await client.say({
        id: 1,
        method: "initialize",
        params: {
          protocolVersion: "2025-11-25",
          capabilities: {},
          clientInfo: { name: "clumsy", version: "1" },
        },
      })
      const headers = { "mcp-protocol-version": "2025-11-25" }
      await client.say({ method: "notifications/initialized" }, headers)
      await client.say({ id: 2, method: "tools/list", params: { cursor: null } }, headers)
    },
  })),
]
