// A server with a long list: `served.mjs stdio|http legacy|modern COUNT` (over HTTP it prints its port). Pages are made
// when they are asked for, so that the server holds nothing either.
import { createServer } from "node:http"

const [way, era, count] = [process.argv[2], process.argv[3], Number(process.argv[4])]
const perPage = 100

const kinds = ["invoice", "shipment", "customer", "contract", "warehouse", "ticket", "employee"]
const verbs = ["find", "list", "create", "update", "archive", "export", "compare"]

const text = (description) => ({ type: "string", description })

/** Like the tools of business servers in use: some 1.5 kB, a third with an output schema. */
const tool = (number) => {
  const kind = kinds[number % kinds.length]
  const verb = verbs[Math.floor(number / kinds.length) % verbs.length]
  return {
    name: `${verb}_${kind}_${String(number).padStart(6, "0")}`,
    title: `${verb} ${kind}`,
    description: `Use this to ${verb} one ${kind} or several in region ${number}. Dates are ISO 8601, amounts are in cents. Large answers are cut; ask for the next part with offset.`,
    inputSchema: {
      type: "object",
      properties: {
        id: text(`The number of the ${kind}, as it is printed on it`),
        query: text("Words to look for; all of them have to occur"),
        state: { type: "string", enum: ["draft", "open", "paid", "overdue", "cancelled"] },
        since: { ...text("Only what has changed since then"), format: "date-time" },
        limit: { type: "integer", minimum: 1, maximum: 500, default: 50 },
        address: {
          type: "object",
          properties: { street: text("With its number"), city: text("As on letters") },
          required: ["city"],
        },
        tags: { type: "array", items: { type: "string" }, maxItems: 20 },
      },
      required: ["id"],
      additionalProperties: false,
    },
    ...(number % 3 === 0 && {
      outputSchema: {
        type: "object",
        properties: { found: { type: "integer" }, items: { type: "array", items: {} } },
        required: ["found", "items"],
      },
    }),
    annotations: { readOnlyHint: verb !== "create", openWorldHint: false },
  }
}

const page = (cursor = "0") => {
  const from = Number(cursor)
  const length = Math.min(perPage, count - from)
  const tools = Array.from({ length }, (_, index) => tool(from + index))
  return from + length < count ? { tools, nextCursor: String(from + length) } : { tools }
}

const info = { name: "long-list", version: "1.0.0" }
const capabilities = { tools: {} }
const hints = { resultType: "complete", ttlMs: 0, cacheScope: "private" }

const results = {
  legacy: {
    initialize: () => ({ protocolVersion: "2025-11-25", capabilities, serverInfo: info }),
    "tools/list": ({ cursor }) => page(cursor),
  },
  modern: {
    "server/discover": () => ({ supportedVersions: ["2026-07-28"], capabilities, ...hints }),
    "tools/list": ({ cursor }) => ({ ...page(cursor), ...hints }),
  },
}[era]

const answer = (json) => {
  const { id, method, params = {} } = JSON.parse(json)
  if (id === undefined) return undefined
  const known = results[method]
  const body =
    known === undefined
      ? { error: { code: -32601, message: "Method not found" } }
      : { result: known(params) }
  return JSON.stringify({ jsonrpc: "2.0", id, ...body })
}

if (way === "stdio") {
  let rest = ""
  process.stdin.setEncoding("utf8").on("data", (chunk) => {
    const lines = (rest + chunk).split("\n")
    rest = lines.pop()
    for (const line of lines) {
      const reply = answer(line)
      if (reply !== undefined) process.stdout.write(`${reply}\n`)
    }
  })
} else {
  const server = createServer(async (request, response) => {
    if (request.method !== "POST") return response.writeHead(405).end()
    let body = ""
    for await (const chunk of request.setEncoding("utf8")) body += chunk
    const reply = answer(body)
    if (reply === undefined) return response.writeHead(202).end()
    return response.writeHead(200, { "content-type": "application/json" }).end(reply)
  })
  server.keepAliveTimeout = 600_000
  server.listen(0, "127.0.0.1", () => console.log(server.address().port))
}
