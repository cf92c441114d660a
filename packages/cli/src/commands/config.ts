import { resolve } from "node:path"
import {
  checkConfig,
  configLocations,
  expandOptionsFor,
  findConfigs,
  guessClient,
  readConfig,
  readConfigFile,
  shownServer,
  translate,
  type CheckedConfig,
  type ClientKind,
  type ConfigFinding,
  type FindOptions,
  type ReadConfig,
  type Surroundings,
} from "@entente/catalog/config"
import { readClient } from "../client-flag.js"
import type { ConfigInvocation } from "../config-arguments.js"
import { exitCodes, type ExitCode } from "../exit-code.js"
import type { Io } from "../io.js"
import { checkedFile, findingLine } from "../render/findings.js"
import { jsonLine } from "../render/json-line.js"
import { styleOf } from "../render/style.js"
import { table, widthFor } from "../render/table.js"
import { shortPath, surroundingsOf } from "../surroundings.js"
import { UsageError } from "../usage-error.js"

type Action<Name extends ConfigInvocation["action"]> = ConfigInvocation & { readonly action: Name }

interface ConfigFile {
  readonly client: ClientKind
  readonly path: string
}

const textOf = ({ client, path }: ConfigFile, around: Surroundings): string => {
  const read = readConfigFile(path, client)
  if ("text" in read) return read.text
  throw new UsageError(`${shortPath(path, around)}: ${read.fault.message}`, "Check the path.")
}

const clientOf = (from: string | undefined): ClientKind | undefined =>
  from === undefined ? undefined : readClient(from, "from")

const fileAt = (file: string, from: string | undefined, around: Surroundings): ConfigFile => {
  const path = resolve(around.cwd, file)
  return { client: clientOf(from) ?? guessClient(path), path }
}

/** Where files are looked for: those of one client, or all. */
const search = (from: string | undefined, around: Surroundings): FindOptions => {
  const client = clientOf(from)
  return { ...around, ...(client === undefined ? {} : { from: client }) }
}

const exitCodeFor = (findings: ReadonlyArray<ConfigFinding>): ExitCode =>
  findings.some(({ severity }) => severity !== "note") ? exitCodes.findings : exitCodes.ok

/** A server as it is listed: nothing of it that could be a secret. */
const listed = (server: ReadConfig["servers"][number]) => ({
  id: server.id,
  transport: server.kind === "local" ? "stdio" : server.transport,
  target: shownServer(server),
  disabled: server.disabled,
})

const list = ({ from, json, color }: Action<"list">, io: Io): ExitCode => {
  const around = surroundingsOf(io)
  const files = findConfigs(search(from, around)).map((file) => {
    const read = readConfigFile(file.path, file.client)
    if ("fault" in read) return { ...file, servers: [], faults: [read.fault] }
    const { servers, faults } = readConfig(read.text, { ...file, cwd: around.cwd })
    // A settings file that has no servers is what most settings files are.
    const shown = faults.filter(
      ({ code, severity }) => severity === "error" && code !== "other-root",
    )
    return { ...file, servers: servers.map(listed), faults: shown }
  })
  if (json) {
    io.stdout.write(`${jsonLine({ files })}\n`)
    return exitCodes.ok
  }
  const style = styleOf(io.stdout, io, color)
  if (files.length === 0) {
    const places = configLocations(search(from, around))
    const rows = places.map(({ client, path }) => [client, shortPath(path, around)])
    io.stdout.write("No configuration file was found. These were looked for:\n")
    const lines = table(["CLIENT", "FILE"], rows, widthFor(io.stdout), style)
    io.stdout.write(`${lines.join("\n")}\n`)
    return exitCodes.ok
  }
  const rows = files.flatMap(({ client, scope, path, servers, faults }) => {
    const place = [client, scope, shortPath(path, around)]
    if (faults.length > 0 && servers.length === 0) return [[...place, "", faults[0]?.message ?? ""]]
    if (servers.length === 0) return [[...place, "", "no servers"]]
    return servers.map(({ id, target, disabled }) => [
      ...place,
      id,
      disabled ? `${target} (switched off)` : target,
    ])
  })
  const head = ["CLIENT", "SCOPE", "FILE", "SERVER", "TARGET"]
  io.stdout.write(`${table(head, rows, widthFor(io.stdout), style).join("\n")}\n`)
  return exitCodes.ok
}

const checked = (file: ConfigFile, around: Surroundings, isNamed: boolean): CheckedConfig => {
  const read = readConfigFile(file.path, file.client)
  // One that was only found, and cannot be read, is not in the way of the others.
  if ("fault" in read && !isNamed) {
    const faults = [read.fault]
    return { ...file, servers: [], inputs: [], faults, findings: faults }
  }
  return checkConfig(textOf(file, around), {
    ...file,
    cwd: around.cwd,
    expand: expandOptionsFor(file.path, file.client, around),
  })
}

const check = ({ file, from, json, color }: Action<"check">, io: Io): ExitCode => {
  const around = surroundingsOf(io)
  const files =
    file === undefined ? findConfigs(search(from, around)) : [fileAt(file, from, around)]
  if (files.length === 0) {
    throw new UsageError(
      "There is no file to check, and none was found.",
      "entente config list says where they were looked for.",
    )
  }
  const results = files.map((one) => ({
    path: one.path,
    result: checked(one, around, file !== undefined),
  }))
  const findings = results.flatMap(({ result }) => result.findings)
  if (json) {
    const shown = results.map(({ path, result }) => ({
      path,
      client: result.client,
      servers: result.servers.map(listed),
      findings: result.findings,
    }))
    io.stdout.write(`${jsonLine({ files: shown })}\n`)
    return exitCodeFor(findings)
  }
  const style = styleOf(io.stdout, io, color)
  const lines = results.flatMap(({ path, result }, index) => [
    ...(index === 0 ? [] : [""]),
    ...checkedFile(result, shortPath(path, around), style),
  ])
  io.stdout.write(`${lines.join("\n")}\n`)
  return exitCodeFor(findings)
}

const translated = (invocation: Action<"translate">, io: Io): ExitCode => {
  const { from, copySecrets, json, color } = invocation
  const to = readClient(invocation.to, "to")
  const around = surroundingsOf(io)
  const file = fileAt(invocation.file, from, around)
  const read = readConfig(textOf(file, around), { ...file, cwd: around.cwd })
  const broken = read.faults.find(({ code }) => code === "syntax-error" || code === "not-an-object")
  if (read.servers.length === 0 && broken !== undefined) {
    const at = broken.line === undefined ? "" : ` (line ${broken.line}, column ${broken.column})`
    throw new UsageError(
      `${shortPath(file.path, around)}: ${broken.message}${at}`,
      "Put it right first.",
    )
  }
  const { text, findings: lost } = translate(read, to, { copySecrets })
  const findings = [...read.faults, ...lost]
  if (json) {
    io.stdout.write(`${jsonLine({ client: to, text, findings })}\n`)
    return exitCodeFor(findings)
  }
  io.stdout.write(text)
  const style = styleOf(io.stderr, io, color)
  for (const finding of findings) io.stderr.write(`${findingLine(finding, style)}\n`)
  return exitCodeFor(findings)
}

/** Lists, checks or translates configuration files. Nothing is started, and no secret is shown. */
export const config = (invocation: ConfigInvocation, io: Io): ExitCode => {
  switch (invocation.action) {
    case "list":
      return list(invocation, io)
    case "check":
      return check(invocation, io)
    case "translate":
      return translated(invocation, io)
  }
}
