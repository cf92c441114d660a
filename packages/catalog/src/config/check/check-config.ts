import * as Redacted from "effect/Redacted"
import { clientKinds, type ClientKind } from "../client/client-kind.js"
import { clients } from "../client/clients.js"
import { expandServer, type ExpandOptions } from "../expand/expand-server.js"
import { findingAbout } from "../finding-about.js"
import type { ConfigFinding, FindingCode } from "../finding.js"
import { readConfig, type ReadConfig, type ReadOptions } from "../read/read-config.js"
import { looksSecret, secretInUrl, secretsInArguments } from "../secrecy.js"
import type { ServerConfig } from "../server-config.js"
import { literalText, type Template } from "../template/template.js"

export interface CheckOptions extends ReadOptions {
  /** With it, what references would be replaced by is checked too. */
  readonly expand?: ExpandOptions
}

/** What a file means to its client, and to others. */
export interface CheckedConfig extends ReadConfig {
  /** What is wrong for its own client, then what others would read differently. */
  readonly findings: ReadonlyArray<ConfigFinding>
}

const finding = (server: ServerConfig, code: FindingCode, message: string): ConfigFinding =>
  findingAbout(server, server.from.client, code, message)

/** Every text of a server, secrets included. */
const templates = (server: ServerConfig): ReadonlyArray<Template> =>
  server.kind === "remote"
    ? [server.url, ...Object.values(server.headers).map(Redacted.value)]
    : [
        server.command,
        ...server.args,
        ...Object.values(server.env).map(Redacted.value),
        server.cwd ?? [],
        server.envFile ?? [],
      ]

/** The ids of everything that a person is to be asked for. */
export const inputsOf = (server: ServerConfig): ReadonlyArray<string> => [
  ...new Set(
    templates(server)
      .flat()
      .flatMap((part) => (part.kind === "input" ? [part.id] : [])),
  ),
]

const unknownInputs = (server: ServerConfig, { inputs }: ReadConfig) =>
  inputsOf(server)
    .filter((id) => !inputs.some((input) => input.id === id))
    .map((id) => finding(server, "input-unknown", `The file does not say what the input ${id} is.`))

/** Names of secrets that are written down where a reference could stand. */
const secretsIn = (server: ServerConfig): ReadonlyArray<string> => {
  const written = server.kind === "local" ? server.env : server.headers
  const named = Object.entries(written).flatMap(([name, template]) => {
    const text = literalText(Redacted.value(template))
    return text !== undefined && looksSecret(name, text) ? [name] : []
  })
  if (server.kind === "remote") {
    return secretInUrl(server.url) === undefined ? named : [...named, "its address"]
  }
  const positions = [...secretsInArguments(server.command, server.args).keys()]
  return [...named, ...positions.map((index) => `argument ${index + 1}`)]
}

const secretsInTheOpen = (server: ServerConfig) =>
  secretsIn(server).map((name) =>
    finding(server, "secret-in-the-open", `A secret is written into the file: ${name}.`),
  )

const unset = (server: ServerConfig, expand: ExpandOptions | undefined) =>
  expand === undefined
    ? []
    : expandServer(server, expand).findings.filter(({ code }) => code !== "input-missing")

/** What the other client would not read of a server that this one reads. */
const unread = (
  server: ServerConfig,
  other: ServerConfig | undefined,
): { readonly code: FindingCode; readonly message: string } | undefined => {
  const names = other?.extras.filter((name) => !server.extras.includes(name)) ?? []
  if (other === undefined || names.length === 0) return undefined
  const { title } = clients[other.from.client]
  return { code: "member-not-read", message: `${title} does not read ${names.join(", ")}.` }
}

/**
 * What another client would make of the file: its faults that this one does not find, and the members it passes over.
 * Only clients that read the same format are asked.
 */
const differences = (
  text: string,
  own: ReadConfig,
  client: ClientKind,
  cwd: string | undefined,
): ReadonlyArray<ConfigFinding> => {
  const severity = own.client === "plain" ? "warning" : "note"
  const { path } = own
  const theirs = readConfig(text, {
    client,
    ...(path === undefined ? {} : { path }),
    ...(cwd === undefined ? {} : { cwd }),
  })
  // Whoever looks elsewhere for servers has nothing further to say of them.
  const elsewhere = theirs.faults.find(({ code }) => code === "other-root")
  if (elsewhere !== undefined) return [{ ...elsewhere, severity }]
  const known = new Set(own.faults.map(({ code, pointer }) => `${code} ${pointer}`))
  const faults = theirs.faults
    .filter(({ code, pointer }) => !known.has(`${code} ${pointer}`))
    .map((fault): ConfigFinding => ({ ...fault, severity }))
  const passedOver = own.servers.flatMap((server) => {
    const said = unread(
      server,
      theirs.servers.find(({ id }) => id === server.id),
    )
    return said === undefined
      ? []
      : [{ ...finding(server, said.code, said.message), client, severity } as const]
  })
  return [...faults, ...passedOver]
}

/**
 * Says what is wrong with a file for its own client, and what every other client that reads the same format
 * would make of it. Differences are warnings for a file that is nobody's, and notes for one that has an owner.
 *
 * @example
 * checkConfig(text, { client: "plain", path: "mcp.json" }).findings
 */
export const checkConfig = (text: string, options: CheckOptions): CheckedConfig => {
  const { expand, ...reading } = options
  const own = readConfig(text, reading)
  const format = clients[own.client].format.kind
  const others = clientKinds.filter(
    (kind) => kind !== own.client && kind !== "plain" && clients[kind].format.kind === format,
  )
  return {
    ...own,
    findings: [
      ...own.faults,
      ...own.servers.flatMap((server) => [
        ...unknownInputs(server, own),
        ...unset(server, expand),
        ...secretsInTheOpen(server),
      ]),
      // A file that cannot be read says nothing about how it would be.
      ...(own.servers.length === 0
        ? []
        : others.flatMap((client) => differences(text, own, client, options.cwd))),
    ],
  }
}
