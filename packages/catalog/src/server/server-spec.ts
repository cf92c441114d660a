import * as Result from "effect/Result"
import { InvalidInput, explain } from "@entente/protocol"
import type { Transport } from "@entente/transport"
import type { ConnectOptions } from "@entente/client"
import { toolFilter, type ToolFilter } from "./tool-filter.js"

/** How the connection of one server is made; the catalog itself says when it ends. */
export type ServerConnectOptions = Omit<ConnectOptions, "signal">

/** One server of a catalog: the way to it, and what is to be had of it. */
export interface ServerSpec {
  readonly transport: Transport
  /** How the connection is made: era, handlers, time limits and the rest. */
  readonly connect?: ServerConnectOptions
  /** Words to find its tools by; see `search`. */
  readonly tags?: ReadonlyArray<string>
  /** Globs over the server's own tool names: only what one of them matches is taken. All by default. */
  readonly allow?: ReadonlyArray<string>
  /** Globs over the server's own tool names: what one of them matches is left out, also if it is allowed. */
  readonly deny?: ReadonlyArray<string>
  /** Keeps the server in the status, and never starts it. */
  readonly disabled?: boolean
}

/** The servers of a catalog under the ids that the user gives them. */
export type Servers = Readonly<Record<string, ServerSpec | Transport>>

/** A server as it was configured, with every default filled in. */
export interface ConfiguredServer {
  readonly id: string
  readonly transport: Transport
  readonly connect: ServerConnectOptions
  readonly tags: ReadonlyArray<string>
  readonly filter: ToolFilter
  readonly disabled: boolean
}

const refused = (what: string): Result.Result<never, InvalidInput> =>
  Result.fail(new InvalidInput(explain("invalid-input", "input", "catalog", what)))

const isTransport = (value: unknown): value is Transport =>
  typeof value === "object" && value !== null && "open" in value && "kind" in value

const isWords = (value: unknown): value is ReadonlyArray<string> =>
  Array.isArray(value) && value.every((word) => typeof word === "string" && word.trim() !== "")

/** What an id may not be: it is shown to people and becomes part of names. */
const faultOfId = (id: string): string | undefined => {
  if (id.trim() === "") return "The id of a server is empty."
  return /\p{Cc}|\p{Cs}/u.test(id)
    ? `The id ${JSON.stringify(id)} of a server has characters that cannot be shown.`
    : undefined
}

const lists = ["tags", "allow", "deny"] as const

const readServer = (
  id: string,
  given: ServerSpec | Transport,
): Result.Result<ConfiguredServer, InvalidInput> => {
  const fault = faultOfId(id)
  if (fault !== undefined) return refused(fault)
  const spec: ServerSpec = isTransport(given) ? { transport: given } : given
  const where = `The server ${JSON.stringify(id)}`
  if (!isTransport(spec?.transport)) return refused(`${where} has no transport.`)
  for (const list of lists) {
    if (spec[list] !== undefined && !isWords(spec[list])) {
      return refused(`${where}: ${list} takes a list of texts that are not empty.`)
    }
  }
  const { transport, connect = {}, tags = [], allow, deny, disabled = false } = spec
  if (typeof disabled !== "boolean") return refused(`${where}: disabled takes true or false.`)
  const server = { id, transport, connect, tags: [...tags], disabled }
  try {
    return Result.succeed({ ...server, filter: toolFilter(allow, deny) })
  } catch (error) {
    return refused(`${where}: allow or deny has no glob: ${String(error)}`)
  }
}

/** Reads what a catalog is given; the first fault is told. */
export const readServers = (
  servers: Servers,
): Result.Result<ReadonlyArray<ConfiguredServer>, InvalidInput> =>
  typeof servers === "object" && servers !== null
    ? Result.all(Object.entries(servers).map(([id, given]) => readServer(id, given)))
    : refused("A catalog takes an object of servers by their ids.")
