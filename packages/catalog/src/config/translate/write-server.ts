import * as Redacted from "effect/Redacted"
import { clients } from "../client/clients.js"
import type { ClientKind } from "../client/client-kind.js"
import type { ClientRow, Field, Names, Written } from "../client/client-row.js"
import { findingAbout } from "../finding-about.js"
import type { ConfigFinding, FindingCode } from "../finding.js"
import { secretInUrl, secretsInArguments } from "../secrecy.js"
import type { ServerConfig } from "../server-config.js"
import { literalText, type Template } from "../template/template.js"
import { variableName, writeText } from "./reference.js"
import { argumentVariable, headerVariable, withhold } from "./withhold.js"

/** A value of an entry. */
export type EntryValue =
  | string
  | number
  | boolean
  | ReadonlyArray<string>
  | Readonly<Record<string, string>>

export type Entry = Record<string, EntryValue>

/** Writes one server for a client, and tells of everything that is not the same there. */
export class ServerWriter {
  readonly findings: Array<ConfigFinding> = []
  readonly #server: ServerConfig
  readonly #to: ClientKind
  readonly #row: ClientRow
  readonly #copySecrets: boolean
  readonly #entry: Entry = {}

  constructor(server: ServerConfig, to: ClientKind, copySecrets: boolean) {
    this.#server = server
    this.#to = to
    this.#row = clients[to]
    this.#copySecrets = copySecrets
  }

  #tell(code: FindingCode, message: string): void {
    this.findings.push(findingAbout(this.#server, this.#to, code, message))
  }

  #cannot(what: string): void {
    this.#tell("not-expressible", `${this.#row.title} has no words for ${what}.`)
  }

  /** The entry; undefined where the client cannot have such a server. */
  write(): Entry | undefined {
    const server = this.#server
    const { write, members } = this.#row
    if (server.disabled && members.disabled === undefined && members.enabled === undefined) {
      this.#cannot("a server that is switched off: it is left out")
      return undefined
    }
    const form = this.#form()
    if (form === undefined) {
      this.#cannot("a server behind an address: it is left out")
      return undefined
    }
    Object.assign(this.#entry, write.fixed)
    if (write.name !== undefined) this.#entry[write.name] = server.id
    if (members.type !== undefined && form.type !== undefined) {
      this.#entry[members.type] = form.type
    }
    if (server.kind === "local") this.#local(server)
    else this.#remote(server, form.url ?? "url")
    this.#facts(server)
    return this.#entry
  }

  #form(): Written | undefined {
    const server = this.#server
    const { local, remote } = this.#row.write
    if (server.kind === "local") return local
    const form = remote[server.transport]
    if (form === undefined && remote.auto !== undefined) {
      this.#cannot("HTTP+SSE by itself: it finds the transport out by itself, or fails")
    }
    return form ?? remote.auto
  }

  #text(
    template: Template,
    field: Field,
    what: string,
    named: (name: string) => void = () => {},
  ): string {
    const { text, lost, variables, wouldExpand } = writeText(template, this.#to, field)
    for (const name of variables) named(name)
    for (const one of lost) this.#tell("not-expressible", `In ${what}: no words for ${one}.`)
    if (wouldExpand) {
      this.#tell(
        "would-expand",
        `${this.#row.title} would replace what is literal text in ${what}.`,
      )
    }
    return text
  }

  #set(names: Names | undefined, value: EntryValue | undefined, what: string): void {
    if (value === undefined) return
    const [name] = names ?? []
    if (name === undefined) this.#cannot(what)
    else this.#entry[name] = value
  }

  #local(server: ServerConfig & { kind: "local" }): void {
    const { members } = this.#row
    const command = this.#text(server.command, "command", "the command")
    const args = this.#args(server)
    const [name = "command"] = members.command
    if (members.commandIs === "list") this.#entry[name] = [command, ...args]
    else {
      this.#entry[name] = command
      if (args.length > 0) this.#set(members.args, args, "arguments")
    }
    const { cwd, envFile } = server
    if (cwd !== undefined) {
      this.#set(members.cwd, this.#text(cwd, "cwd", "cwd"), "a working directory")
    }
    if (envFile !== undefined) {
      const file = this.#text(envFile, "envFile", "envFile")
      this.#set(members.envFile, file, "a file with variables")
    }
    this.#env(server)
  }

  #args(server: ServerConfig & { kind: "local" }): ReadonlyArray<string> {
    const secrets = this.#copySecrets
      ? new Map<number, never>()
      : secretsInArguments(server.command, server.args)
    return server.args.map((argument, index) => {
      const replace = secrets.get(index)
      const what = `argument ${index + 1}`
      if (replace === undefined) return this.#text(argument, "args", what)
      const before = server.args[index - 1]
      const variable = argumentVariable(
        server.id,
        index,
        literalText(argument) ?? "",
        before === undefined ? undefined : literalText(before),
      )
      return this.#withheld(replace, variable, "args", what)
    })
  }

  /** A literal text with a reference where its secret was. */
  #withheld(
    replace: (replacement: string) => string,
    variable: string,
    field: Field,
    what: string,
  ): string {
    this.#tellWithheld(what, variable)
    return replace(this.#text([{ kind: "variable", name: variable }], field, what))
  }

  #tellWithheld(what: string, variable: string): void {
    this.#tell(
      "secret-withheld",
      `What is written in ${what} is not copied: set the variable ${variable}.`,
    )
  }

  /** The value of a variable or header, as far as it may be written down. */
  #shareable(secret: Redacted.Redacted<Template>, variable: string, what: string): Template {
    const template = Redacted.value(secret)
    if (this.#copySecrets) return template
    const { template: safe, variable: instead, defaultLost } = withhold(template, variable)
    if (instead !== undefined) this.#tellWithheld(what, instead)
    else if (defaultLost) {
      this.#tell("secret-withheld", `The default in ${what} is not copied.`)
    }
    return safe
  }

  #env({ env }: ServerConfig & { kind: "local" }): void {
    const { members } = this.#row
    const written: Record<string, string> = {}
    const handedOn: Array<string> = []
    for (const [name, secret] of Object.entries(env)) {
      const template = this.#shareable(secret, variableName(name), `the variable ${name}`)
      const [only, ...more] = template
      const isHandedOn =
        only?.kind === "variable" && only.name === name && only.otherwise === undefined
      if (members.envNames !== undefined && isHandedOn && more.length === 0) handedOn.push(name)
      else written[name] = this.#text(template, "env", `the variable ${name}`)
    }
    if (Object.keys(written).length > 0) this.#set(members.env, written, "variables")
    if (handedOn.length > 0) this.#set(members.envNames, handedOn, "names of variables")
  }

  #remote(server: ServerConfig & { kind: "remote" }, member: string): void {
    const replace = this.#copySecrets ? undefined : secretInUrl(server.url)
    this.#entry[member] =
      replace === undefined
        ? this.#text(server.url, "url", "the address")
        : this.#withheld(replace, variableName(server.id, "url_secret"), "url", "the address")
    this.#headers(server)
  }

  #headers({ id, headers }: ServerConfig & { kind: "remote" }): void {
    const { members, expansion } = this.#row
    const written: Record<string, string> = {}
    const fromVariables: Record<string, string> = {}
    const named = new Set<string>()
    for (const [name, secret] of Object.entries(headers)) {
      const what = `the header ${name}`
      const template = this.#shareable(secret, headerVariable(id, name), what)
      const member = expansion.fields.includes("headers")
        ? undefined
        : this.#headerMember(name, template)
      if (member === undefined)
        written[name] = this.#text(template, "headers", what, (one) => named.add(one))
      else if (member.token) this.#set(members.bearerVariable, member.variable, what)
      else fromVariables[name] = member.variable
    }
    if (Object.keys(written).length > 0) this.#set(members.headers, written, "headers")
    if (Object.keys(fromVariables).length > 0) {
      this.#set(members.headerVariables, fromVariables, "headers from variables")
    }
    // Variables in headers are found only where they are named.
    if (members.envNames !== undefined && expansion.fields.includes("headers") && named.size > 0) {
      this.#set(members.envNames, [...named], "names of variables")
    }
  }

  /** How a client without references in headers is told of a variable, if it can be. */
  #headerMember(
    name: string,
    template: Template,
  ): { readonly token: boolean; readonly variable: string } | undefined {
    const { bearerVariable, headerVariables } = this.#row.members
    const [first, second, third] = template
    if (third !== undefined) return undefined
    const isToken = first?.kind === "text" && first.text === "Bearer "
    const variable = isToken ? second : first
    if (variable?.kind !== "variable" || variable.otherwise !== undefined) return undefined
    if (isToken) {
      return bearerVariable !== undefined && name.toLowerCase() === "authorization"
        ? { token: true, variable: variable.name }
        : undefined
    }
    return headerVariables !== undefined && second === undefined
      ? { token: false, variable: variable.name }
      : undefined
  }

  #facts(server: ServerConfig): void {
    const { members, title } = this.#row
    if (server.disabled) {
      if (members.enabled === undefined) this.#set(members.disabled, true, "a switch")
      else this.#set(members.enabled, false, "a switch")
    }
    if (server.timeoutMs !== undefined) {
      const { names, unitMs } = members.timeout ?? { names: undefined, unitMs: 1 }
      this.#set(names, server.timeoutMs / unitMs, "a time limit")
    }
    const { allow, deny } = server
    if (allow?.length === 0 && members.emptyAllowsAll === true) {
      this.#tell("not-expressible", `${title} takes an empty list for all tools.`)
    } else this.#set(members.allow, allow, "a list of allowed tools")
    if (deny.length > 0) this.#set(members.deny, deny, "a list of tools that are not allowed")
  }
}
