import { rpcCode, type JsonObject } from "@entente/protocol"
import { pages, refusal } from "./rules.js"
import type { Rule } from "./script.js"

/** What a server has to list; a list that is not given is not offered. */
export interface Offers {
  readonly tools?: ReadonlyArray<JsonObject>
  readonly prompts?: ReadonlyArray<JsonObject>
  readonly resources?: ReadonlyArray<JsonObject>
  readonly resourceTemplates?: ReadonlyArray<JsonObject>
}

/** What both kinds of server have to say about themselves. */
export interface ServerOptions extends Offers {
  /** Default: one empty capability for each kind of list that is offered. */
  readonly capabilities?: JsonObject
  readonly serverInfo?: JsonObject
  readonly instructions?: string
  /** See `Script.answers`. */
  readonly answers?: "json" | "sse"
}

export const defaultServerInfo = { name: "scripted-peer", version: "1.0.0" }

const lists = [
  { method: "tools/list", member: "tools", capability: "tools" },
  { method: "prompts/list", member: "prompts", capability: "prompts" },
  { method: "resources/list", member: "resources", capability: "resources" },
  {
    method: "resources/templates/list",
    member: "resourceTemplates",
    capability: "resources",
  },
] as const

export const capabilitiesOf = (offers: Offers): JsonObject =>
  Object.fromEntries(
    lists.flatMap(({ member, capability }) =>
      offers[member] === undefined ? [] : [[capability, {}] as const],
    ),
  )

/**
 * The lists that are offered, each in one page, and `tools/call`: a tool answers with its arguments as
 * text, an unknown one is refused with -32602. `cacheable` goes into lists, `complete` into every result.
 */
export const offerRules = (
  offers: Offers,
  complete: JsonObject = {},
  cacheable: JsonObject = {},
): ReadonlyArray<Rule> => [
  ...lists.flatMap(({ method, member }) => {
    const items = offers[member]
    return items === undefined
      ? []
      : pages(method, [{ ...complete, ...cacheable, [member]: items }])
  }),
  ...(offers.tools === undefined ? [] : callRules(offers.tools, complete)),
]

const callRules = (tools: ReadonlyArray<JsonObject>, complete: JsonObject): ReadonlyArray<Rule> => {
  const call = { kind: "request", method: "tools/call" } as const
  const content = [{ type: "text", text: { $text: "/params/arguments" } }]
  return [
    {
      when: { ...call, params: { name: { $oneOf: tools.map(({ name }) => name) } } },
      reply: [{ result: { ...complete, content } }],
    },
    { when: call, reply: refusal(200, rpcCode.invalidParams, "Unknown tool") },
  ]
}
