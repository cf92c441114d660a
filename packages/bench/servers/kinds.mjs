// What the hundred servers of `pnpm servers` do: a script for each kind, played by the testkit.
import { legacyServer, modernServer, pages, tool, withRules } from "@entente/testkit"

/** How late a slow server answers, and how often a changing one changes, in milliseconds. */
const slowMs = 3_000
const changeMs = 200
const changes = 25

const described = (name) =>
  tool(name, {
    description: `Does what ${name} says, with all that a description of usual length says about it.`,
    inputSchema: {
      type: "object",
      properties: {
        path: { type: "string", description: "Where to do it." },
        limit: { type: "integer", minimum: 1, description: "How often to do it at most." },
      },
      required: ["path"],
    },
  })

const named = (count, prefix = "tool") =>
  Array.from({ length: count }, (_, index) => described(`${prefix}_${index}`))

const eras = { legacy: legacyServer, modern: modernServer }
const openings = new Set(["initialize", "server/discover"])

const slow = (script) => ({
  ...script,
  rules: script.rules.map((rule) =>
    openings.has(rule.when.method) ? { ...rule, reply: [{ delay: slowMs }, ...rule.reply] } : rule,
  ),
})

const complete = { resultType: "complete", ttlMs: 0, cacheScope: "private" }

const huge = (era) => {
  const tools = named(5_000)
  const results = Array.from({ length: 10 }, (_, page) => ({
    ...(era === "modern" ? complete : {}),
    tools: tools.slice(page * 500, (page + 1) * 500),
    ...(page < 9 ? { nextCursor: `page ${page + 2}` } : {}),
  }))
  return withRules(eras[era]({ tools: [] }), ...pages("tools/list", results))
}

const listChanged = (meta = {}) => [
  { delay: changeMs },
  { message: { jsonrpc: "2.0", method: "notifications/tools/list_changed", ...meta } },
]

/** A list of another length each time that it is asked for, and notices of that. */
const changing = (era) => {
  const lists = Array.from({ length: changes }, (_, index) => ({
    when: { method: "tools/list" },
    times: 1,
    reply: [{ result: { ...complete, tools: named(11 + index) } }],
  }))
  const subscription = "io.modelcontextprotocol/subscriptionId"
  const meta = { params: { _meta: { [subscription]: { $from: "/id" } } } }
  const notices = (extra) => Array.from({ length: changes - 1 }, () => listChanged(extra)).flat()
  const acknowledged = {
    message: {
      jsonrpc: "2.0",
      method: "notifications/subscriptions/acknowledged",
      params: {
        notifications: { $from: "/params/notifications" },
        _meta: { [subscription]: { $from: "/id" } },
      },
    },
  }
  const tells =
    era === "legacy"
      ? { when: { method: "notifications/initialized" }, reply: notices({}) }
      : {
          when: { method: "subscriptions/listen" },
          reply: [acknowledged, ...notices(meta), { silence: true }],
        }
  const capabilities = { tools: { listChanged: true } }
  return withRules(eras[era]({ tools: named(10), capabilities }), tells, ...lists)
}

const answersAll = (status, text) => ({
  rules: [{ when: {}, reply: [{ http: { status, text } }] }],
})

/** Kinds whose list is there in the end, by era. */
export const useful = {
  good: (era) => eras[era]({ tools: named(20) }),
  slow: (era) => slow(eras[era]({ tools: named(20) })),
  changing,
  huge,
}

/** Kinds that never show a tool. */
export const useless = {
  mute: () => ({ rules: [{ when: {}, reply: [{ silence: true }] }] }),
  crash: () => ({ rules: [{ when: { kind: "open" }, reply: [{ exit: 1 }] }] }),
  dies: () => ({ rules: [{ when: { method: "initialize" }, reply: [{ exit: 1 }] }] }),
  unauthorized: () => answersAll(401, "who are you?"),
  forbidden: () => answersAll(403, "not you"),
  page: () => answersAll(404, "<html>nothing here</html>"),
  broken: () => answersAll(500, "out of order"),
}

export const scriptOf = (kind, era) => (useful[kind] ?? useless[kind])(era)

/** The hundred: what they do, over what, in which era, and how many of them. */
export const mixture = [
  ["stdio", "good", "legacy", 14],
  ["stdio", "good", "modern", 10],
  ["stdio", "slow", "legacy", 3],
  ["stdio", "changing", "legacy", 3],
  ["stdio", "huge", "legacy", 1],
  ["stdio", "huge", "modern", 1],
  ["stdio", "mute", "legacy", 2],
  ["stdio", "crash", "legacy", 2],
  ["stdio", "dies", "legacy", 2],
  ["stdio", "absent", "legacy", 2],
  ["http", "good", "legacy", 12],
  ["http", "good", "modern", 12],
  ["http", "slow", "modern", 3],
  ["http", "changing", "modern", 3],
  ["http", "huge", "modern", 2],
  ["http", "mute", "modern", 1],
  ["http", "unauthorized", "modern", 1],
  ["http", "forbidden", "modern", 1],
  ["http", "page", "modern", 1],
  ["http", "broken", "modern", 1],
  ["http", "dead", "modern", 3],
  ["memory", "good", "legacy", 7],
  ["memory", "good", "modern", 7],
  ["memory", "slow", "legacy", 2],
  ["memory", "changing", "modern", 2],
  ["memory", "huge", "legacy", 1],
  ["memory", "mute", "legacy", 1],
]
