import { tool, type ReceivedRequest } from "@entente/testkit"

/** A tool with these properties. */
export const taking = (
  name: string,
  properties: Readonly<Record<string, unknown>>,
  more: Readonly<Record<string, unknown>> = {},
) => tool(name, { inputSchema: { type: "object", properties, ...more } })

/** A property that is annotated. */
export const into = (name: unknown, type: unknown = "string") => ({ type, "x-mcp-header": name })

export const regional = taking("move", { region: into("Region"), note: { type: "string" } })
export const plain = taking("move", { region: { type: "string" }, note: { type: "string" } })

/** The headers of a request that repeat arguments, names in lower case. */
export const mirroredOf = ({ headers = {} }: ReceivedRequest): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith("mcp-param-")))
