import type { TransportKind } from "@entente/transport"

/** Attributes with the names of OpenTelemetry's semantic conventions. */
export type Attributes = Readonly<Record<string, string | number>>

/** What each kind of transport is to a network. */
const networks: ReadonlyMap<TransportKind, Attributes> = new Map([
  ["stdio", { "network.transport": "pipe" }],
  ["unix-socket", { "network.transport": "unix" }],
  ["tcp-socket", { "network.transport": "tcp" }],
  ["streamable-http", { "network.transport": "tcp", "network.protocol.name": "http" }],
  ["http+sse", { "network.transport": "tcp", "network.protocol.name": "http" }],
  ["websocket", { "network.transport": "tcp", "network.protocol.name": "websocket" }],
])

const defaultPorts: ReadonlyMap<string, number> = new Map([
  ["http:", 80],
  ["ws:", 80],
  ["https:", 443],
  ["wss:", 443],
])

/** Where a server is, by the kind of its transport and its target, which is free of credentials. */
export const serverPlace = (kind: TransportKind, target: string): Attributes => {
  const network = networks.get(kind)
  if (network === undefined || kind === "stdio") return network ?? {}
  if (kind === "unix-socket") return { ...network, "server.address": target.replace(/^unix:/, "") }
  if (!URL.canParse(target)) return network
  const { hostname, port, protocol } = new URL(target)
  const number = port === "" ? defaultPorts.get(protocol) : Number(port)
  return {
    ...network,
    ...(hostname === "" ? {} : { "server.address": hostname.replace(/^\[(.*)\]$/, "$1") }),
    ...(number === undefined ? {} : { "server.port": number }),
  }
}
