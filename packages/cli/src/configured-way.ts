import { transportOf, type ExpandedServer } from "@entente/catalog/config"
import { headersWithoutCredentials } from "./credentials.js"
import { UsageError } from "./usage-error.js"
import type { Way } from "./way.js"

type Headers = Readonly<Record<string, string>>

/** The same server for somebody whom it does not know; undefined where nothing says who one is. */
const withoutCredentials = (server: ExpandedServer, given: Headers) => {
  if (server.kind === "local") return undefined
  // Their values are not looked at: what a file says there may always be a secret.
  const own = Object.fromEntries(Object.keys(server.headers).map((name) => [name, "x"]))
  const ownKept = headersWithoutCredentials(own)
  const givenKept = headersWithoutCredentials(given)
  if (ownKept === undefined && givenKept === undefined) return undefined
  const kept = ownKept ?? own
  const headers = Object.fromEntries(
    Object.entries(server.headers).filter(([name]) => Object.hasOwn(kept, name)),
  )
  return { server: { ...server, headers }, given: givenKept ?? given }
}

/** The way to a server of a configuration file. */
export const configuredWay = (server: ExpandedServer, cwd: string, given: Headers = {}): Way => {
  const names = Object.keys(given)
  if (server.kind === "local" && names.length > 0) {
    throw new UsageError(`--header is for a URL: ${server.id} is a program.`)
  }
  const own = server.kind === "remote" ? Object.keys(server.headers) : []
  const anonymous = withoutCredentials(server, given)
  return {
    transport: () => transportOf(server, { cwd, headers: given }),
    ...(anonymous === undefined
      ? {}
      : {
          withoutCredentials: () =>
            transportOf(anonymous.server, { cwd, headers: anonymous.given }),
        }),
    headerNames: [...own, ...names],
    ...(server.timeoutMs === undefined ? {} : { timeoutMs: server.timeoutMs }),
  }
}
