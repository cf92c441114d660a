import { homedir } from "node:os"
import { join } from "node:path"
import { connect, http, type PromiseClient } from "@entente/client"
import { fileResults } from "@entente/client/file-results"

/** Connects, and knows after a restart what it knew before. */
export const remembering = (url: string, token: string): Promise<PromiseClient> => {
  const store = fileResults(join(homedir(), ".cache", "my-host", "mcp"))
  const headers = { Authorization: `Bearer ${token}` }
  return connect(http(url, { headers }), { cache: { store } })
}
