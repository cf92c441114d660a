import {
  checkConfig,
  clients,
  entryMembers,
  expandOptionsFor,
  findConfigs,
  hiding,
  readConfigFile,
  readHiding,
  type ClientKind,
  type ConfigFinding,
  type FoundConfig,
  type Hidden,
  type HidingReader,
  type ServerConfig,
  type Surroundings,
} from "@entente/catalog/config"
import type { ClientTrouble, ClientView, FurtherFilter, ToolFilter } from "@entente/doctor"
import { shortPath } from "./surroundings.js"

/** How a client is set up. */
export interface ClientSide {
  /** One for each server that its files name; for the server that was asked for, even if none does. */
  readonly views: ReadonlyArray<ClientView>
  /** What is wrong with whole files, so that servers in them may be missing here as they are for the client. */
  readonly troubles: ReadonlyArray<ClientTrouble>
}

/** A place as people look for it. */
const placeOf = (
  path: string | undefined,
  line: number | undefined,
  around: Surroundings,
): string => {
  const file = path === undefined ? "the configuration" : shortPath(path, around)
  return line === undefined ? file : `${file} (line ${line})`
}

/** The same, to stand in brackets itself. */
const briefPlace = ({ path, line }: ConfigFinding, around: Surroundings): string => {
  const file = placeOf(path, undefined, around)
  return line === undefined ? file : `${file}, line ${line}`
}

/** Whether the client has no tools of a server because of a finding. */
const keepsAway = ({ code, severity, client }: ConfigFinding): boolean =>
  severity === "error" ||
  (code === "variable-unset" && clients[client].expansion.unset === "refused")

const troubleOf = (finding: ConfigFinding, around: Surroundings): ClientTrouble => ({
  code: finding.code,
  severity: finding.severity,
  message: finding.message,
  where: briefPlace(finding, around),
  ...(keepsAway(finding) ? { keepsAway: true } : {}),
})

/** What a file says of one server: its entry, if the client can use it, and what is wrong with it. */
interface Entry {
  readonly id: string
  readonly file: FoundConfig
  readonly server: ServerConfig | undefined
  readonly findings: ReadonlyArray<ConfigFinding>
  /** Where the entry has one of some members. */
  readonly where: (names: ReadonlyArray<string>) => string | undefined
}

interface ReadFile {
  readonly entries: ReadonlyArray<Entry>
  readonly faults: ReadonlyArray<ConfigFinding>
}

const readFile = (file: FoundConfig, around: Surroundings): ReadFile => {
  const { client, path } = file
  const read = readConfigFile(path, client)
  if ("fault" in read) return { entries: [], faults: [read.fault] }
  const { servers, findings } = checkConfig(read.text, {
    client,
    path,
    cwd: around.cwd,
    expand: expandOptionsFor(path, client, around),
  })
  const own = findings.filter(
    // A secret that is written down keeps no tool away, and neither does a settings file without servers.
    (one) =>
      one.client === client && one.code !== "secret-in-the-open" && one.code !== "no-servers",
  )
  const byId = new Map(servers.map((server) => [server.id, server]))
  const named = own.flatMap(({ server }) => (server === undefined ? [] : [server]))
  const memberOf = entryMembers(read.text, client)
  const entries = [...new Set([...byId.keys(), ...named])].map((id): Entry => {
    const server = byId.get(id)
    return {
      id,
      file,
      server,
      findings: own.filter((one) => one.server === id),
      where: (names) => {
        const found = server === undefined ? undefined : memberOf(server.from.pointer, names)
        return found === undefined
          ? undefined
          : `${found.member} in ${placeOf(path, found.line, around)}`
      },
    }
  })
  return { entries, faults: own.filter(({ server }) => server === undefined) }
}

const hiddenAt = ({ member, path, line }: Hidden, around: Surroundings): string =>
  `${member} in ${placeOf(path, line, around)}`

const furtherOf = (hidden: Hidden, around: Surroundings): ReadonlyArray<FurtherFilter> => {
  if (hidden.kind !== "allow" && hidden.kind !== "deny") return []
  const { kind, names, patterns, prefix, except } = hidden
  return [{ kind, names, patterns, prefix, except, where: hiddenAt(hidden, around) }]
}

/** The lists and the switch of the entry itself. */
const ownOf = ({ server, file, where }: Entry) => {
  const { members } = clients[file.client]
  const filter = (
    names: ReadonlyArray<string> | undefined,
    listed: ReadonlyArray<string> | undefined,
  ): ToolFilter | undefined => {
    const at = listed === undefined || names === undefined ? undefined : where(names)
    return at === undefined || listed === undefined ? undefined : { names: listed, where: at }
  }
  return {
    allow: filter(members.allow, server?.allow),
    deny: filter(members.deny, server?.deny),
    disabledBy:
      server?.disabled === true
        ? where([...(members.disabled ?? []), ...(members.enabled ?? [])])
        : undefined,
  }
}

/** What the client keeps where it is not looked at. */
const unseenBy = (client: ClientKind): ReadonlyArray<ClientTrouble> => {
  const { unseen } = hiding[client]
  return unseen === undefined ? [] : [{ code: "kept-elsewhere", severity: "note", message: unseen }]
}

const viewOf = (entry: Entry, hidden: HidingReader, around: Surroundings): ClientView => {
  const { client, scope } = entry.file
  const { title } = clients[client]
  const { cap } = hiding[client]
  const { allow, deny, disabledBy: ownSwitch } = ownOf(entry)
  const elsewhere = hidden.of({ server: entry.id, scope })
  const off = elsewhere.find(({ kind }) => kind === "off")
  const disabledBy = ownSwitch ?? (off === undefined ? undefined : hiddenAt(off, around))
  const further = elsewhere.flatMap((one) => furtherOf(one, around))
  const unapproved = elsewhere.filter(({ kind }) => kind === "not-approved")
  return {
    kind: client,
    title,
    server: entry.id,
    ...(disabledBy === undefined ? {} : { disabledBy }),
    ...(allow === undefined ? {} : { allow }),
    ...(deny === undefined ? {} : { deny }),
    ...(further.length === 0 ? {} : { further }),
    ...(cap === undefined
      ? {}
      : {
          cap: {
            limit: cap.limit,
            where: cap.source,
            ...(cap.known === "reported" ? { doubtful: true } : {}),
          },
        }),
    troubles: [
      ...entry.findings.map((finding) => troubleOf(finding, around)),
      ...unapproved.map((one): ClientTrouble => ({
        code: "not-approved",
        severity: "warning",
        message: `${title} does not use servers of a project before somebody has approved them, and no file says so of this one.`,
        where: hiddenAt(one, around),
        keepsAway: true,
      })),
      ...hidden.faults.map((fault) => ({
        code: "settings-unreadable",
        severity: "warning" as const,
        message: fault.message,
        where: briefPlace(fault, around),
      })),
      ...unseenBy(client),
    ],
  }
}

/** A server that no file names: that, or a file that cannot be read, is why the client has none of its tools. */
const viewOfNone = (
  client: ClientKind,
  server: string,
  faults: ReadonlyArray<ClientTrouble>,
): ClientView => {
  const { title } = clients[client]
  const missing: ClientTrouble = {
    code: "not-configured",
    severity: "error",
    message: `No file of ${title} names this server.`,
    keepsAway: true,
  }
  return { kind: client, title, server, troubles: [...faults, missing] }
}

/**
 * How a client is set up for the servers that its files name, or for one of them: what it switches off, lists,
 * cannot read or would not replace, and how many tools it hands on at most. Nothing is started and nothing is asked.
 * A server that is named in the project and for the user is the project's. No secret is in it.
 *
 * @example
 * clientViews("codex", surroundingsOf(io), "github").views[0]?.allow
 */
export const clientViews = (
  client: ClientKind,
  around: Surroundings,
  server?: string,
): ClientSide => {
  const files = findConfigs({ ...around, from: client }).map((file) => readFile(file, around))
  const troubles = files.flatMap(({ faults }) => faults.map((one) => troubleOf(one, around)))
  const nearest = new Map<string, Entry>()
  for (const entry of files.flatMap(({ entries }) => entries)) {
    if (!nearest.has(entry.id)) nearest.set(entry.id, entry)
  }
  const hidden = readHiding(client, around)
  const wanted = [...nearest.values()].filter(({ id }) => server === undefined || id === server)
  const views = wanted.map((entry) => viewOf(entry, hidden, around))
  return {
    views:
      server !== undefined && views.length === 0 ? [viewOfNone(client, server, troubles)] : views,
    troubles,
  }
}
