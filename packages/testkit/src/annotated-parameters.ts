import { isJsonObject, rpcCode, type JsonObject } from "@entente/protocol"
import { refusal } from "./rules.js"
import type { Rule } from "./script.js"

const escaped = (name: string): string => name.replaceAll("~", "~0").replaceAll("/", "~1")

/**
 * The header of each annotated argument, and the JSON pointer to it in a call: only what `properties` leads
 * to counts (V26-XHDR-03), so that a tool with an annotation elsewhere can still be offered, as a fault.
 */
const annotated = (schema: unknown, pointer: string): ReadonlyArray<readonly [string, string]> => {
  const properties = isJsonObject(schema) ? schema["properties"] : undefined
  if (!isJsonObject(properties)) return []
  return Object.entries(properties).flatMap(([name, property]) => {
    const place = `${pointer}/${escaped(name)}`
    const header = isJsonObject(property) ? property["x-mcp-header"] : undefined
    const own = typeof header === "string" ? [[`Mcp-Param-${header}`, place] as const] : []
    return [...own, ...annotated(property, place)]
  })
}

/** Refuses calls of tools whose annotated arguments are not repeated in their headers (V26-XHDR-12). */
export const annotationRules = (tools: ReadonlyArray<JsonObject>): ReadonlyArray<Rule> =>
  tools.flatMap(({ name, inputSchema }): ReadonlyArray<Rule> => {
    const unrepeated = Object.fromEntries(annotated(inputSchema, "/params/arguments"))
    if (Object.keys(unrepeated).length === 0) return []
    return [
      {
        when: { kind: "request", method: "tools/call", params: { name }, unrepeated },
        reply: refusal(400, rpcCode.headerMismatch, "The headers do not repeat the arguments"),
      },
    ]
  })
