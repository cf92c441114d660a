import * as Redacted from "effect/Redacted"
import { headerFault } from "@entente/protocol"
import { clients } from "../client/clients.js"
import { environmentVariable, type Surroundings } from "../client/locations.js"
import { findingAbout } from "../finding-about.js"
import type { ConfigFinding, FindingCode } from "../finding.js"
import { isWebAddress } from "../read/read-server.js"
import type { Expanded, ExpandedServer, LocalServer, ServerConfig } from "../server-config.js"
import { writePart } from "../template/syntax.js"
import type { Part, Place, Template } from "../template/template.js"
import { readDotenv } from "./dotenv.js"

/** What references are replaced from. */
export interface ExpandOptions extends Surroundings {
  /** What a person has answered, by the id of the input. */
  readonly inputs?: ReadonlyMap<string, Redacted.Redacted<string>>
  /** The text of a file, by the path that a server names; undefined where it cannot be read. */
  readonly readFile?: (path: string) => string | undefined
}

/** What became of a server: without one it cannot be used, and the findings say why. */
export interface Expansion {
  readonly server: ExpandedServer | undefined
  readonly findings: ReadonlyArray<ConfigFinding>
}

/** A value, and whether anything in it came from outside the file. */
interface Piece {
  readonly text: string
  readonly secret: boolean
}

const baseName = (path: string): string => path.split(/[/\\]/).findLast((one) => one !== "") ?? ""

const places: Readonly<Record<Place, (options: ExpandOptions) => string>> = {
  userHome: ({ home }) => home,
  workspaceFolder: ({ cwd }) => cwd,
  workspaceFolderBasename: ({ cwd }) => baseName(cwd),
  pathSeparator: ({ platform }) => (platform === "win32" ? "\\" : "/"),
}

/** The expansion of one server. */
class Expander {
  readonly findings: Array<ConfigFinding> = []
  readonly #server: ServerConfig
  readonly #options: ExpandOptions
  #refused = false

  constructor(server: ServerConfig, options: ExpandOptions) {
    this.#server = server
    this.#options = options
  }

  tell(code: FindingCode, message: string): void {
    const server = this.#server
    this.findings.push(findingAbout(server, server.from.client, code, message))
  }

  get #row() {
    return clients[this.#server.from.client]
  }

  /** One reference, replaced once: what it stands for is never looked at again. */
  #piece(part: Part): Piece {
    switch (part.kind) {
      case "text":
        return { text: part.text, secret: false }
      case "place":
        return { text: places[part.place](this.#options), secret: false }
      case "variable":
        return this.#variable(part)
      case "input": {
        const answer = this.#options.inputs?.get(part.id)
        if (answer === undefined) {
          this.tell("input-missing", `Nobody has given the input ${part.id}.`)
        }
        return { text: answer === undefined ? "" : Redacted.value(answer), secret: true }
      }
      case "file":
        return { text: (this.file(part.path) ?? "").trim(), secret: true }
    }
  }

  #variable(part: Part & { kind: "variable" }): Piece {
    const { expansion, title } = this.#row
    const value = environmentVariable(this.#options, part.name)
    // An empty variable falls back as well, as in shells, where there is something to fall back to.
    if (value !== undefined && (value !== "" || part.otherwise === undefined)) {
      return { text: value, secret: true }
    }
    if (part.otherwise !== undefined) return { text: part.otherwise, secret: true }
    const outcome = {
      literal: `${title} leaves the reference as it is written`,
      unknown: "what becomes of the reference is not known; it stays as it is written",
      empty: `${title} takes it for empty`,
      refused: "the server cannot be used",
    }[expansion.unset]
    this.tell("variable-unset", `The variable ${part.name} is not set: ${outcome}.`)
    if (expansion.unset === "refused") this.#refused = true
    const keeps = expansion.unset === "literal" || expansion.unset === "unknown"
    const written = keeps ? writePart(part, expansion.syntaxes) : undefined
    return { text: written ?? "", secret: true }
  }

  get failed(): boolean {
    return this.#refused || this.findings.some(({ severity }) => severity === "error")
  }

  file(path: string): string | undefined {
    const text = this.#options.readFile?.(path)
    if (text === undefined) this.tell("file-unreadable", "A file that it names cannot be read.")
    return text
  }

  text(template: Template): Expanded {
    const pieces = template.map((part) => this.#piece(part))
    const text = pieces.map((piece) => piece.text).join("")
    return pieces.some(({ secret }) => secret) ? Redacted.make(text) : text
  }

  secret(template: Redacted.Redacted<Template>): Redacted.Redacted<string> {
    const value = this.text(Redacted.value(template))
    return typeof value === "string" ? Redacted.make(value) : value
  }

  /** The variables of a program, with those of its file below them. */
  env(
    server: LocalServer<Template, Redacted.Redacted<Template>>,
  ): Readonly<Record<string, Redacted.Redacted<string>>> {
    const { env, envFile } = server
    const entries = new Map<string, Redacted.Redacted<string>>()
    if (envFile !== undefined) {
      const path = this.text(envFile)
      const text = this.file(typeof path === "string" ? path : Redacted.value(path))
      for (const [name, value] of readDotenv(text ?? "")) entries.set(name, Redacted.make(value))
    }
    for (const [name, template] of Object.entries(env)) {
      if (this.#isHandedOn(template, "env")) entries.set(name, this.secret(template))
    }
    return Object.fromEntries(entries)
  }

  /**
   * Whether a value is there at all: a client with no syntax for references has a member that names
   * variables instead, and leaves out what is not set.
   */
  #isHandedOn(template: Redacted.Redacted<Template>, field: "env" | "headers"): boolean {
    const { expansion, title } = this.#row
    if (expansion.fields.includes(field)) return true
    const missing = Redacted.value(template).find(
      (part) =>
        part.kind === "variable" && environmentVariable(this.#options, part.name) === undefined,
    )
    if (missing?.kind !== "variable") return true
    this.tell(
      "variable-unset",
      `The variable ${missing.name} is not set: ${title} leaves out what would hold it.`,
    )
    return false
  }

  headers(
    headers: Readonly<Record<string, Redacted.Redacted<Template>>>,
  ): Readonly<Record<string, Redacted.Redacted<string>>> {
    return Object.fromEntries(
      Object.entries(headers).flatMap(([name, template]) => {
        if (!this.#isHandedOn(template, "headers")) return []
        const value = this.secret(template)
        const fault = headerFault(name, Redacted.value(value))
        if (fault === undefined) return [[name, value]]
        this.tell("invalid-header", `It cannot be sent: ${fault}.`)
        return []
      }),
    )
  }

  /** An address that is one at last, or a finding that does not repeat it. */
  url(template: Template): Expanded {
    const url = this.text(template)
    if (!isWebAddress(typeof url === "string" ? url : Redacted.value(url))) {
      this.tell("invalid-url", "Its address is no http or https address.")
    }
    return url
  }

  /** NUL cannot be handed to a program. */
  refuseNul(values: Iterable<Expanded>): void {
    for (const value of values) {
      const text = typeof value === "string" ? value : Redacted.value(value)
      if (text.includes("\0")) this.tell("invalid-value", "A value holds a NUL character.")
    }
  }
}

/**
 * Replaces the references of a server as its client would, in one pass: a value that looks like a reference
 * stays what it is. Everything that came from the environment, a person or a file is redacted from here on.
 *
 * @example
 * expandServer(server, { env: process.env, home, cwd, platform: process.platform })
 */
export const expandServer = (server: ServerConfig, options: ExpandOptions): Expansion => {
  const expander = new Expander(server, options)
  const expanded = ((): ExpandedServer => {
    if (server.kind === "remote") {
      const { url, headers, ...rest } = server
      return { ...rest, url: expander.url(url), headers: expander.headers(headers) }
    }
    const { command, args, cwd, envFile: _, ...rest } = server
    const env = expander.env(server)
    const local = {
      ...rest,
      command: expander.text(command),
      args: args.map((argument) => expander.text(argument)),
      env,
      cwd: cwd === undefined ? undefined : expander.text(cwd),
      envFile: undefined, // it is in `env` now
    }
    expander.refuseNul([local.command, ...local.args, ...Object.values(env)])
    return local
  })()
  return {
    server: expander.failed ? undefined : expanded,
    findings: expander.findings,
  }
}
