import { dirname, resolve } from "node:path"
import * as Redacted from "effect/Redacted"
import { http, httpSse, type Transport } from "@entente/transport"
import { stdio } from "@entente/transport/stdio"
import { clients } from "../client/clients.js"
import type { Expanded, ExpandedServer } from "../server-config.js"
import { hidesSecrets, shownServer } from "../shown.js"
import type { ServerSpec } from "../../server/server-spec.js"
import type { LoadedConfig } from "./load-config.js"

const reveal = (text: Expanded): string => (typeof text === "string" ? text : Redacted.value(text))

const revealAll = (
  values: Readonly<Record<string, Redacted.Redacted<string>>>,
): Readonly<Record<string, string>> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, Redacted.value(value)]))

/** The names of tools in these files are names, and no patterns. */
const asGlob = (name: string): string => name.replaceAll(/[\\*?[\](){}!|+@^$]/g, "\\$&")

const folderOf = ({ from }: ExpandedServer, cwd: string): string =>
  clients[from.client].startsIn === "file" && from.path !== undefined ? dirname(from.path) : cwd

export interface TransportOptions {
  /** The project's folder, where programs start. */
  readonly cwd: string
  /** Further headers of a remote server, which win over those of its entry whatever their case. */
  readonly headers?: Readonly<Record<string, string>>
}

const merged = (
  own: Readonly<Record<string, string>>,
  given: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> => {
  const replaced = new Set(Object.keys(given).map((name) => name.toLowerCase()))
  const kept = Object.entries(own).filter(([name]) => !replaced.has(name.toLowerCase()))
  return Object.fromEntries([...kept, ...Object.entries(given)])
}

/**
 * The transport of a server. A command is found on the PATH and started without a shell; it gets the variables
 * of its entry, and of this process only those that programs need to run.
 */
export const transportOf = (
  server: ExpandedServer,
  { cwd, headers = {} }: TransportOptions,
): Transport => {
  const target = hidesSecrets(server) ? { target: shownServer(server) } : {}
  if (server.kind === "local") {
    return stdio({
      command: reveal(server.command),
      args: server.args.map(reveal),
      env: revealAll(server.env),
      cwd: resolve(folderOf(server, cwd), server.cwd === undefined ? "." : reveal(server.cwd)),
      ...target,
    })
  }
  const options = { headers: merged(revealAll(server.headers), headers), ...target }
  return server.transport === "sse"
    ? httpSse(reveal(server.url), options)
    : http(reveal(server.url), options)
}

/**
 * What a catalog is made of: each server of a file by its name, with its transport, its lists of tools and its
 * time limit.
 *
 * @example
 * const servers = serversOf(await loadConfig(".mcp.json"))
 */
export const serversOf = ({
  servers,
  cwd,
}: Pick<LoadedConfig, "servers" | "cwd">): Readonly<Record<string, ServerSpec>> =>
  Object.fromEntries(
    servers.map((server): readonly [string, ServerSpec] => [
      server.id,
      {
        transport: transportOf(server, { cwd }),
        ...(server.allow === undefined ? {} : { allow: server.allow.map(asGlob) }),
        ...(server.deny.length === 0 ? {} : { deny: server.deny.map(asGlob) }),
        ...(server.timeoutMs === undefined ? {} : { connect: { timeoutMs: server.timeoutMs } }),
        ...(server.disabled ? { disabled: true } : {}),
      },
    ]),
  )
