import type { JsonObject } from "@entente/protocol"
import { redactUrl } from "@entente/trace"
import type { Attributes } from "./server-place.js"

/** How much of a name is told; MCP's own bound for the names of tools is the same. */
export const mostLetters = 128

/** What a request is about, by its method: the member of its params, and what it is called. */
const subjects: Readonly<Record<string, { readonly member: string; readonly attribute: string }>> =
  {
    "tools/call": { member: "name", attribute: "gen_ai.tool.name" },
    "prompts/get": { member: "name", attribute: "gen_ai.prompt.name" },
    "resources/read": { member: "uri", attribute: "mcp.resource.uri" },
    "resources/subscribe": { member: "uri", attribute: "mcp.resource.uri" },
    "resources/unsubscribe": { member: "uri", attribute: "mcp.resource.uri" },
  }

/** A request as its span shows it. */
export interface Described {
  /** `{method} {target}`; a URI is no target, because there are as many as there are resources. */
  readonly name: string
  readonly attributes: Attributes
}

export const describeRequest = (
  method: string,
  params: JsonObject | undefined,
  captureResourceUris: boolean,
): Described => {
  const plain = { name: method, attributes: { "mcp.method.name": method } }
  const subject = Object.hasOwn(subjects, method) ? subjects[method] : undefined
  const value = subject === undefined ? undefined : params?.[subject.member]
  if (subject === undefined || typeof value !== "string") return plain
  const { attribute } = subject
  if (attribute === "mcp.resource.uri") {
    if (!captureResourceUris) return plain
    return { name: method, attributes: { ...plain.attributes, [attribute]: redactUrl(value) } }
  }
  const target = value.slice(0, mostLetters)
  const operation = method === "tools/call" ? { "gen_ai.operation.name": "execute_tool" } : {}
  return {
    name: `${method} ${target}`,
    attributes: { ...plain.attributes, [attribute]: target, ...operation },
  }
}
