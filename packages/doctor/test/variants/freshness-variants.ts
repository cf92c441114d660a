import { metaKey, type Era, type JsonObject } from "@entente/protocol"
import {
  legacyServer,
  modernServer,
  notification,
  tool,
  withRules,
  type Script,
} from "@entente/testkit"
import type { ClumsyClient } from "./clumsy-client.js"
import { inBothEras } from "./eras-and-ways.js"
import type { Variant } from "./variant.js"

const family = 5
const tools = [tool("echo"), tool("add")]
const offered = ["echo", "add", "divide"]
const changing = { tools: { listChanged: true } }

const server = (era: Era, options: Parameters<typeof legacyServer>[0] = {}): Script =>
  era === "modern" ? modernServer({ tools, ...options }) : legacyServer({ tools, ...options })

const meta = {
  [metaKey.protocolVersion]: "2026-07-28",
  [metaKey.clientCapabilities]: {},
}

/** A request as a client of the era makes it, over HTTP with its headers. */
const asks = (
  client: ClumsyClient,
  era: Era,
  id: number,
  method: string,
  params: JsonObject = {},
) =>
  era === "modern"
    ? client.say(
        { id, method, params: { ...params, _meta: meta } },
        {
          "mcp-protocol-version": "2026-07-28",
          "mcp-method": method,
          ...(typeof params["name"] === "string" ? { "mcp-name": params["name"] } : {}),
        },
      )
    : client.say({ id, method, params }, { "mcp-protocol-version": "2025-11-25" })

const begins = async (client: ClumsyClient, era: Era): Promise<void> => {
  if (era === "modern") {
    await asks(client, era, 1, "server/discover")
    return
  }
  await client.say({
    id: 1,
    method: "initialize",
    params: {
      protocolVersion: "2025-11-25",
      capabilities: {},
      clientInfo: { name: "c", version: "1" },
    },
  })
  await client.say(
    { method: "notifications/initialized" },
    { "mcp-protocol-version": "2025-11-25" },
  )
}

const begun =
  (era: Era, ...asked: ReadonlyArray<readonly [method: string, params?: JsonObject]>) =>
  async (client: ClumsyClient): Promise<void> => {
    await begins(client, era)
    let id = 1
    for (const [method, params] of asked) await asks(client, era, ++id, method, params)
  }

/** Family 5, as it shows in the exchange of a client that does less than it should. */
export const freshnessVariants: ReadonlyArray<Variant> = [
  ...(["stdio", "http"] as const).flatMap((over) => [
    ...inBothEras(over, (era) => ({
      name: "calls-without-a-list",
      family,
      expects: "tools-from-an-older-list",
      verdict: "degraded",
      script: () => server(era),
      client: begun(era, ["tools/call", { name: "echo", arguments: {} }]),
    })),
    ...inBothEras(over, (era) => ({
      name: "never-asks-for-tools",
      family,
      expects: "never-listed",
      verdict: "failed",
      script: () => server(era, { prompts: [] }),
      client: begun(era, ["prompts/list"]),
    })),
    ...inBothEras(over, (era) => ({
      name: "list-is-old",
      family,
      expects: "list-out-of-date",
      verdict: "degraded",
      script: () => server(era),
      client: begun(era, ["tools/list"]),
      context: { offered },
    })),
    ...inBothEras(over, (era) => ({
      name: "shows-fewer",
      family,
      expects: "fewer-tools-shown",
      verdict: "degraded",
      script: () => server(era),
      context: { shown: 1 },
    })),
    ...inBothEras(over, (era) => ({
      name: "change-is-not-followed",
      family,
      expects: "change-not-followed",
      verdict: "degraded",
      script: () =>
        withRules(server(era, { capabilities: changing }), {
          when: { kind: "request", method: "prompts/list" },
          reply: [
            { message: notification("notifications/tools/list_changed") },
            { result: { prompts: [] } },
          ],
        }),
      client: begun(era, ["tools/list"], ["prompts/list"], ["resources/list"]),
    })),
  ]),
  ...(["stdio", "http"] as const).flatMap((over): ReadonlyArray<Variant> => [
    {
      name: "ttl-outlives-the-list",
      family,
      era: "modern",
      over,
      expects: "ttl-not-expired",
      verdict: "degraded",
      script: () => modernServer({ tools, ttlMs: 3_600_000 }),
      client: begun("modern", ["tools/list"]),
      context: { offered },
    },
    {
      name: "never-subscribes",
      family,
      era: "modern",
      over,
      expects: "changes-not-listened-for",
      verdict: "degraded",
      script: () => modernServer({ tools, ttlMs: 3_600_000, capabilities: changing }),
      client: begun("modern", ["tools/list"]),
      context: { offered },
    },
    {
      name: "subscription-is-refused",
      family,
      era: "modern",
      over,
      expects: "changes-not-listened-for",
      verdict: "degraded",
      script: () =>
        withRules(modernServer({ tools, capabilities: changing }), {
          when: { kind: "request", method: "subscriptions/listen" },
          reply: [{ error: { code: -32601, message: "Method not found" } }],
        }),
      client: begun(
        "modern",
        ["tools/list"],
        ["subscriptions/listen", { notifications: { toolsListChanged: true } }],
      ),
      context: { offered },
    },
  ]),
  {
    name: "opens-no-stream",
    family,
    era: "legacy",
    over: "http",
    expects: "changes-not-listened-for",
    verdict: "degraded",
    script: () => legacyServer({ tools, listens: true, capabilities: changing }),
    client: begun("legacy", ["tools/list"]),
    context: { offered },
  },
  {
    // The client asks for the stream by itself, and is refused with 405.
    name: "stream-is-refused",
    family,
    era: "legacy",
    over: "http",
    expects: "changes-not-listened-for",
    verdict: "degraded",
    script: () => legacyServer({ tools, capabilities: changing }),
    context: { offered },
  },
]
