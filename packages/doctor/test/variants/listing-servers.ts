import type { Era, JsonObject } from "@entente/protocol"
import { legacyServer, modernServer, tool, withRules } from "@entente/testkit"
import type { Pattern, Rule, Script, Step } from "@entente/testkit"
import type { Variant } from "./variant.js"

export type Way = "stdio" | "http" | "memory"

const eras = ["legacy", "modern"] as const
const ways = ["stdio", "http"] as const

/** A variant of family 2 in the eras and over the transports where it makes sense. */
export const listingIn =
  (where: { readonly eras?: ReadonlyArray<Era>; readonly over?: ReadonlyArray<Way> } = {}) =>
  (
    make: (era: Era, over: Way) => Omit<Variant, "era" | "over" | "family">,
  ): ReadonlyArray<Variant> =>
    (where.eras ?? eras).flatMap((era) =>
      (where.over ?? ways).map((over) => ({ ...make(era, over), family: 2 as const, era, over })),
    )

export const everywhere = listingIn()
export const overHttp = listingIn({ over: ["http"] })
export const overStdio = listingIn({ over: ["stdio"] })
/** On a channel that needs no process, where what matters is only what is said on it. */
export const saidAnywhere = listingIn({ over: ["memory", "http"] })

/** An honest server with two tools, after rules that go before its own. */
export const spoilt = (era: Era, ...rules: ReadonlyArray<Rule>): Script => {
  const tools = [tool("echo"), tool("add")]
  return withRules(era === "modern" ? modernServer({ tools }) : legacyServer({ tools }), ...rules)
}

/** A rule for `tools/list`. */
export const whenListed = (reply: ReadonlyArray<Step>, params?: Pattern): Rule => ({
  when: { kind: "request", method: "tools/list", ...(params && { params }) },
  reply,
})

/** That server, with this answer to every `tools/list`. */
export const listing = (era: Era, ...reply: ReadonlyArray<Step>): Script =>
  spoilt(era, whenListed(reply))

/** The result of a list, as its era has it. */
export const page = (era: Era, members: JsonObject): JsonObject =>
  era === "modern"
    ? { resultType: "complete", ttlMs: 0, cacheScope: "private", ...members }
    : members

/** The whole answer with a list, for `message` steps; `id` is that of the request unless it is given. */
export const answered = (
  era: Era,
  tools: ReadonlyArray<JsonObject> = [tool("echo"), tool("add")],
  id: unknown = { $from: "/id" },
): JsonObject => ({ jsonrpc: "2.0", id, result: page(era, { tools }) })

/** The head of an event stream that is written by hand. */
export const eventStream = (headers: Readonly<Record<string, string>> = {}): Step => ({
  http: { headers: { "content-type": "text/event-stream", ...headers } },
})

/** Milliseconds for an answer that never comes; honest answers come in a few, once the process is there. */
const patience = 700

export const impatient = { timeoutMs: patience, handshakeMs: 10_000, waitMs: 20 } as const

/** Milliseconds after which an answer comes that the client does not wait for any more, and the doctor does. */
export const tooLate = Math.round(patience * 1.5)
