import * as Redacted from "effect/Redacted"
import { headerFault } from "@entente/protocol"
import type { Field, Names, RemoteTransport } from "../client/client-row.js"
import type { ServerConfig, ServerFacts } from "../server-config.js"
import { leftLiteral, parseTemplate } from "../template/syntax.js"
import { literal, literalText, type Part, type Template } from "../template/template.js"
import type { Reader } from "./reader.js"

/** Names that some client has for an address. */
const addresses = ["url", "httpUrl", "serverUrl", "baseUrl", "uri"]

const variable = (name: string): Template => [{ kind: "variable", name }]

const text = (part: Part): string => (part.kind === "text" ? part.text : "")

/** A text of the file, taken apart in its client's syntax. */
const templateOf = (
  reader: Reader,
  field: Field,
  written: string,
  at: ReadonlyArray<string | number>,
): Template => {
  const { expansion, title } = reader.row
  const template = expansion.fields.includes(field)
    ? parseTemplate(written, expansion.syntaxes)
    : literal(written)
  const literals = leftLiteral(template)
  if (literals.length > 0) {
    const names = literals.join(", ")
    reader.tell(
      "left-literal",
      `${title} does not replace the reference to ${names} in ${at.join(".")}: it stays as it is written.`,
      at,
    )
  }
  const nested = template.some(
    (part) => part.kind === "variable" && part.otherwise?.includes("${") === true,
  )
  if (nested) {
    reader.tell(
      "nested-default",
      `${at.join(".")} has a reference inside a default; a default is not looked at again.`,
      at,
    )
  }
  return template
}

/** NUL ends a text for the operating system, and what follows it would be lost. */
const refuseNul = (reader: Reader, written: string, at: ReadonlyArray<string | number>): boolean =>
  written.includes("\0")
    ? (reader.tell("invalid-value", `${at.join(".")} holds a NUL character.`, at), true)
    : false

const envOf = (reader: Reader): Readonly<Record<string, Redacted.Redacted<Template>>> => {
  const { env, envNames } = reader.row.members
  const entries = new Map<string, Redacted.Redacted<Template>>()
  for (const name of handedOn(reader, envNames)) {
    entries.set(name, Redacted.make(variable(name)))
  }
  for (const [name, written, member] of reader.textRecord(env)) {
    const at = [member, name]
    if (name === "" || /[=\0]/.test(name)) {
      reader.tell("invalid-variable", `${member} has a name that no variable can have.`, [member])
    } else if (!refuseNul(reader, written, at)) {
      entries.set(name, Redacted.make(templateOf(reader, "env", written, at)))
    }
  }
  return Object.fromEntries(entries)
}

/** Names of variables that are handed on: texts, or objects with a `name`. */
const handedOn = (reader: Reader, names?: Names): ReadonlyArray<string> => {
  const found = reader.member(names)
  if (found === undefined) return []
  const [member, node] = found
  if (node.kind !== "list") {
    reader.wrongType([member], "a list of names")
    return []
  }
  return node.items.flatMap((item, index) => {
    const name = item.kind === "object" ? item.members.get("name") : item
    const written = name === undefined ? undefined : reader.textAt(name, [member, index])
    return written === undefined || written === "" || /[=\0]/.test(written) ? [] : [written]
  })
}

/** Puts the variables of an entry with an address in place, for the client that has such. */
const ownVariables = (reader: Reader): ((part: Part) => Part) => {
  if (reader.row.expansion.ownVariablesFirst !== true) return (part) => part
  const own = new Map(reader.textRecord(reader.row.members.env).map(([name, text]) => [name, text]))
  reader.member(reader.row.members.envNames) // these come from the environment, as references do
  return (part) => {
    const text = part.kind === "variable" ? own.get(part.name) : undefined
    return text === undefined ? part : { kind: "text", text }
  }
}

const headersOf = (reader: Reader): Readonly<Record<string, Redacted.Redacted<Template>>> => {
  const { headers, headerVariables, bearer, bearerVariable } = reader.row.members
  const entries = new Map<string, Template>()
  const own = ownVariables(reader)
  for (const [name, written, member] of reader.textRecord(headers)) {
    const template = templateOf(reader, "headers", written, [member, name]).map(own)
    const fault = headerFault(name, template.map(text).join(""))
    if (fault === undefined) entries.set(name, template)
    else reader.tell("invalid-header", `In ${member}, ${fault}.`, [member, name])
  }
  for (const [name, from, member] of reader.textRecord(headerVariables)) {
    const fault = headerFault(name, "")
    if (fault === undefined) entries.set(name, variable(from))
    else reader.tell("invalid-header", `In ${member}, ${fault}.`, [member, name])
  }
  const token = reader.text(bearer)
  const tokenVariable = reader.text(bearerVariable)
  if (token !== undefined || tokenVariable !== undefined) {
    const rest =
      token === undefined
        ? variable(tokenVariable ?? "")
        : templateOf(reader, "headers", token, [bearer?.[0] ?? ""])
    const template: Template = [{ kind: "text", text: "Bearer " }, ...rest]
    const fault = headerFault("Authorization", template.map(text).join("").trimEnd())
    if (fault === undefined) entries.set("Authorization", template)
    else reader.tell("invalid-header", `The token cannot be sent: ${fault}.`)
  }
  return Object.fromEntries([...entries].map(([name, one]) => [name, Redacted.make(one)]))
}

/** `disabled` and `enabled` are honoured in every file: nothing that was switched off may start. */
const isDisabled = (reader: Reader): boolean => {
  const { members, title } = reader.row
  const disabled = reader.flag(["disabled"]) === true || reader.flag(["enabled"]) === false
  const isRead = members.disabled !== undefined || members.enabled !== undefined
  if (disabled && !isRead) {
    reader.tell("member-not-read", `${title} has no switch in this file: it starts the server.`)
  }
  return disabled
}

const factsOf = (
  reader: Reader,
  id: string,
  from: ServerFacts["from"],
): Omit<ServerFacts, "extras"> => {
  const { timeout, allow, deny, emptyAllowsAll } = reader.row.members
  const allowed = reader.texts(allow)
  const time = reader.number(timeout?.names)
  return {
    id,
    disabled: isDisabled(reader),
    timeoutMs: time === undefined ? undefined : Math.ceil(time * (timeout?.unitMs ?? 1)),
    allow: emptyAllowsAll === true && allowed?.length === 0 ? undefined : allowed,
    deny: reader.texts(deny) ?? [],
    from,
  }
}

/** The program and its arguments, which some clients write as one list. */
const commandOf = (
  reader: Reader,
): { readonly command: Template; readonly args: ReadonlyArray<Template> } | undefined => {
  const { command: names, commandIs, args: argNames } = reader.row.members
  const found = reader.member(names)
  const more = reader.texts(argNames)
  if (found === undefined) return undefined
  const [member, node] = found
  const field = (index: number): Field => (index === 0 ? "command" : "args")
  if (node.kind === "list" && commandIs !== "text") {
    const words = reader.texts(names)
    const [command, ...args] = (words ?? []).map((word, index) =>
      templateOf(reader, field(index), word, [member, index]),
    )
    if (command === undefined && words !== undefined) reader.wrongType([member], "a list of texts")
    return command === undefined ? undefined : { command, args }
  }
  if (commandIs === "list")
    return reader.wrongType([member], "a list: the program, then its arguments")
  const written = reader.textAt(node, [member])
  if (written === undefined) return undefined
  if (written.trim() === "") return reader.wrongType([member], "the name of a program")
  return {
    command: templateOf(reader, "command", written, [member]),
    args: (more ?? []).map((word, index) =>
      templateOf(reader, "args", word, [argNames?.[0] ?? "args", index]),
    ),
  }
}

const localServer = (
  reader: Reader,
  id: string,
  from: ServerFacts["from"],
): ServerConfig | undefined => {
  const before = reader.findings.length
  const { cwd, envFile } = reader.row.members
  const command = commandOf(reader)
  const env = envOf(reader)
  const folder = reader.text(cwd)
  const file = reader.text(envFile)
  const facts = factsOf(reader, id, from)
  const failed = reader.findings.slice(before).some(({ severity }) => severity === "error")
  if (command === undefined || failed) return undefined
  return {
    kind: "local",
    ...facts,
    ...command,
    env,
    cwd: folder === undefined ? undefined : templateOf(reader, "cwd", folder, ["cwd"]),
    envFile: file === undefined ? undefined : templateOf(reader, "envFile", file, ["envFile"]),
    extras: reader.extras,
  }
}

/** Whether a text is an address that can be spoken to by HTTP. */
export const isWebAddress = (written: string): boolean =>
  URL.canParse(written) && /^https?:$/.test(new URL(written).protocol)

const remoteServer = (
  reader: Reader,
  id: string,
  from: ServerFacts["from"],
  declared: RemoteTransport | undefined,
): ServerConfig | undefined => {
  const before = reader.findings.length
  const { urls, sseByUrl, title } = reader.row
  const found = reader.member(Object.keys(urls))
  const written = found === undefined ? undefined : reader.textAt(found[1], [found[0]])
  const headers = headersOf(reader)
  const facts = factsOf(reader, id, from)
  if (found === undefined || written === undefined) return undefined
  const [member] = found
  const url = templateOf(reader, "url", written, [member])
  const plain = literalText(url)
  if (plain !== undefined && !isWebAddress(plain)) {
    reader.tell("invalid-url", `${member} is no http or https address.`, [member])
  }
  if (declared === undefined && sseByUrl === member) {
    reader.tell(
      "url-means-sse",
      `${title} takes ${member} without a type for HTTP+SSE, by its documentation and before December 2025; newer versions try Streamable HTTP first. Write httpUrl, or a type beside it.`,
      [member],
    )
  }
  if (reader.findings.slice(before).some(({ severity }) => severity === "error")) return undefined
  // A type speaks of `url`; an address with a meaning of its own keeps it.
  const own = urls[member] ?? "auto"
  const transport = own === "auto" || declared === "sse" ? (declared ?? own) : own
  return { kind: "remote", ...facts, url, transport, headers, extras: reader.extras }
}

/** Members that other clients read for an address and this one does not. */
const foreignAddress = (reader: Reader): string | undefined =>
  addresses.find((name) => reader.has(name) && !Object.hasOwn(reader.row.urls, name))

/** Reads one server's entry. What is wrong with it is told of, and costs no other server. */
export const readServer = (
  reader: Reader,
  id: string,
  from: ServerFacts["from"],
): ServerConfig | undefined => {
  const { members, types, typeless, remote, title } = reader.row
  const type = members.type === undefined ? undefined : reader.text([members.type])
  const declared = type !== undefined && Object.hasOwn(types, type) ? types[type] : undefined
  if (declared === "other") return undefined
  if (type !== undefined && declared === undefined) {
    const known = Object.keys(types).join(", ")
    reader.tell("unknown-type", `${title} knows no such type; it reads ${known}.`, ["type"])
    return undefined
  }
  const hasCommand = reader.member(members.command) !== undefined
  const hasUrl = reader.member(Object.keys(reader.row.urls)) !== undefined
  if (!hasCommand && !hasUrl) {
    const foreign = foreignAddress(reader)
    if (foreign === undefined) {
      reader.tell("nothing-to-reach", "There is neither a command nor an address.")
    } else {
      const own = Object.keys(reader.row.urls)[0] ?? "a command"
      reader.tell("member-of-another-client", `${title} reads ${own} and not ${foreign}.`, [
        foreign,
      ])
    }
    return undefined
  }
  const isLocal = declared === "local" || (declared === undefined && hasCommand)
  if (isLocal ? !hasCommand : !hasUrl) {
    const lacks = isLocal ? "a command" : "an address"
    reader.tell("type-contradicts", `The type says that there is ${lacks}, and there is none.`)
    return undefined
  }
  if (hasCommand && hasUrl && declared === undefined) {
    reader.tell("both-kinds", "There are a command and an address: only one of them can be meant.")
    return undefined
  }
  if (type === undefined && (typeless === "refused" || (typeless !== "read" && !isLocal))) {
    reader.tell("type-missing", `${title} refuses a server without a type here.`)
  }
  if (isLocal) return localServer(reader, id, from)
  if (remote === "ignored") {
    reader.tell("remote-ignored", `${title} reads local servers only from this file.`)
  }
  return remoteServer(reader, id, from, declared)
}
