import type { Answered, ClumsyClient } from "./clumsy-client.js"

/** `initialize` as a client of some legacy revision says it. */
export const initialize = (
  client: ClumsyClient,
  { id = 1, protocolVersion = "2025-11-25" } = {},
): Promise<Answered> =>
  client.say({
    id,
    method: "initialize",
    params: {
      protocolVersion,
      capabilities: {},
      clientInfo: { name: "clumsy", version: "1.0.0" },
    },
  })

/** The end of the handshake. */
export const confirmation = { method: "notifications/initialized" }

export const versionHeader = (
  version = "2025-11-25",
): { readonly "mcp-protocol-version": string } => ({ "mcp-protocol-version": version })

/** The headers of a session of 2025-11-25. */
export const sessionHeaders = (id: string): Readonly<Record<string, string>> => ({
  ...versionHeader(),
  "mcp-session-id": id,
})

export const versionKey = "io.modelcontextprotocol/protocolVersion"

/** What a modern request says of itself. */
export const modernMeta = {
  [versionKey]: "2026-07-28",
  "io.modelcontextprotocol/clientCapabilities": {},
}
