import type { Step } from "../script.js"
import { spoilt, whenAsked } from "./honest.js"
import type { Misbehaviour } from "./misbehaviour.js"

const common = {
  over: ["http"],
  eras: ["legacy", "modern"],
  try: "call-echo",
  settles: "by-itself",
} as const

/** What a call is answered with. */
const callAnswers: ReadonlyArray<
  readonly [
    name: string,
    sentence: string,
    outcome: string,
    ids: ReadonlyArray<string>,
    reply: ReadonlyArray<Step>,
  ]
> = [
  [
    "gateway-page",
    "A call is answered with 502 and the web page of a gateway.",
    "The call fails with the status; it is not sent again by itself.",
    ["V25-HTTP-45"],
    [
      {
        http: {
          status: 502,
          headers: { "content-type": "text/html" },
          text: "<html><h1>502 Bad Gateway</h1></html>",
        },
      },
    ],
  ],
  [
    "error-with-status-500",
    "A call is answered with 500 and a JSON-RPC error in the body.",
    "The call fails with the error's own code and message, and the status.",
    ["V25-HTTP-43", "V26-HTTP-14"],
    [{ status: 500, error: { code: -32603, message: "It broke" } }],
  ],
  [
    "error-with-foreign-id",
    "A call is refused with 406 and an error whose id is server-error.",
    "The call fails with that code and message: they belong to the exchange, whatever the id says.",
    ["C121", "V25-HTTP-43"],
    [
      {
        status: 406,
        id: "server-error",
        error: { code: -32600, message: "both media types must be accepted" },
      },
    ],
  ],
  [
    "too-many-requests",
    "A call is answered with 429 and Retry-After.",
    "The call fails with the status; it is not sent again by itself.",
    ["V25-HTTP-45"],
    [{ http: { status: 429, headers: { "retry-after": "1" }, text: "Slow down" } }],
  ],
  [
    "request-too-large",
    "A call is answered with 413.",
    "The call fails with the status; it is not sent again.",
    ["V26-HDR-14"],
    [{ http: { status: 413, text: "Payload Too Large" } }],
  ],
  [
    "accepted-with-202",
    "A call is answered with 202 and no body.",
    "The call fails as lost, at once: there is no stream on which the answer could come.",
    ["V25-HTTP-44"],
    [{ http: { status: 202 } }],
  ],
  [
    "accepted-with-204",
    "A call is answered with 204.",
    "The call fails as lost, at once.",
    ["V25-HTTP-44"],
    [{ http: { status: 204, headers: { "content-type": null } } }],
  ],
  [
    "empty-body",
    "A call is answered with 200, the type application/json and an empty body.",
    "The call fails at once and says that the body is empty.",
    ["V25-HTTP-44"],
    [{ http: { headers: { "content-type": "application/json" }, text: "" } }],
  ],
  [
    "half-a-body",
    "A call is answered with JSON that ends in the middle.",
    "The call fails at once and says that the body is no JSON.",
    ["V25-RPC-10"],
    [
      {
        http: {
          headers: { "content-type": "application/json" },
          text: '{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"te',
        },
      },
    ],
  ],
  [
    "reset-before-answer",
    "The connection is reset as soon as a call has arrived.",
    "The call fails as one that may have been done; it is not sent again by itself.",
    ["V25-HTTP-24", "V25-HTTP-45"],
    [{ destroy: true }],
  ],
]

const redirect = (status: number, location: string): Step => ({
  http: { status, headers: { location } },
})

/** What the address that the client is given answers; `/mcp` is an honest server. */
const redirects: ReadonlyArray<
  readonly [name: string, sentence: string, outcome: string, ids: ReadonlyArray<string>, to: Step]
> = [
  [
    "redirect-307",
    "Every POST is redirected with 307 to the endpoint on the same origin.",
    "Follows with the same body and lists the tools.",
    ["C094"],
    redirect(307, "/mcp"),
  ],
  [
    "redirect-301",
    "Every POST is redirected with 301 to the endpoint on the same origin.",
    "Sends no GET instead of the POST; fails with the address to use.",
    ["C095"],
    redirect(301, "/mcp"),
  ],
  [
    "redirect-cross-origin",
    "Every POST is redirected with 307 to another origin.",
    "Follows nowhere; fails with the address that was named.",
    ["C094", "V26-HTTP-19", "V25-HTTP-36"],
    redirect(307, "http://localhost:9/mcp"),
  ],
  [
    "redirect-loop",
    "Every POST is redirected with 308 to itself.",
    "Gives up after a few and says so.",
    ["C094"],
    redirect(308, "/old"),
  ],
]

/** What everything is answered with. */
const whole: ReadonlyArray<
  readonly [
    name: string,
    sentence: string,
    outcome: string,
    ids: ReadonlyArray<string>,
    reply: Step,
  ]
> = [
  [
    "html-page",
    "Everything is answered with 200 and a web page.",
    "Refuses the connection and says that this is no MCP, but a page.",
    ["C122", "V25-HTTP-44"],
    { http: { headers: { "content-type": "text/html" }, text: "<!doctype html><h1>Welcome</h1>" } },
  ],
  [
    "unauthorized",
    "Everything is answered with 401 and no challenge.",
    "Refuses the connection and asks for authorization.",
    ["V25-HTTP-42"],
    { http: { status: 401, text: "Unauthorized" } },
  ],
  [
    "forbidden",
    "Everything is answered with 403 and an error without id.",
    "Refuses the connection with the error of the server; starts no authorization.",
    ["V25-HTTP-41", "V26-HDR-12"],
    {
      http: {
        status: 403,
        json: { jsonrpc: "2.0", error: { code: -32600, message: "Origin not allowed" } },
      },
    },
  ],
  [
    "not-found",
    "Everything is answered with 404 and a text.",
    "Refuses the connection and says that there is no MCP endpoint at this address.",
    ["V25-HTTP-37"],
    { http: { status: 404, text: "Not Found" } },
  ],
]

export const statuses: ReadonlyArray<Misbehaviour> = [
  ...callAnswers.map(([name, sentence, outcome, ids, reply]): Misbehaviour => ({
    ...common,
    name,
    sentence,
    outcome,
    ids,
    script: whenAsked("tools/call", ...reply),
  })),
  ...redirects.map(([name, sentence, outcome, ids, to]): Misbehaviour => ({
    ...common,
    name,
    sentence,
    outcome,
    ids,
    try: "list-tools",
    path: "/old",
    script: spoilt({ when: { httpMethod: "POST", path: "/old" }, reply: [to] }),
  })),
  ...whole.map(([name, sentence, outcome, ids, reply]): Misbehaviour => ({
    ...common,
    name,
    sentence,
    outcome,
    ids,
    try: "connect",
    script: () => ({ rules: [{ when: {}, reply: [reply] }] }),
  })),
]
