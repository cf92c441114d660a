import { clients } from "../client/clients.js"
import type { ClientKind } from "../client/client-kind.js"
import type { ClientRow, Names } from "../client/client-row.js"
import type { ConfigNode } from "../document/node.js"
import {
  findingCodes,
  pointerTo,
  type ConfigFinding,
  type FindingCode,
  type Severity,
} from "../finding.js"

/** One entry of a file, or the file itself, read member by member: what is wrong is told of with its place. */
export class Reader {
  readonly row: ClientRow
  readonly findings: Array<ConfigFinding>
  readonly pointer: string
  readonly #members: ReadonlyMap<string, ConfigNode>
  readonly #node: ConfigNode | undefined
  readonly #server: string | undefined
  readonly #path: string | undefined
  readonly client: ClientKind
  /** Members that were looked at. */
  readonly #seen = new Set<string>()

  constructor(options: {
    readonly client: ClientKind
    readonly path: string | undefined
    readonly pointer: string
    readonly node: ConfigNode | undefined
    readonly server?: string
    readonly findings: Array<ConfigFinding>
  }) {
    this.client = options.client
    this.row = clients[options.client]
    this.findings = options.findings
    this.pointer = options.pointer
    this.#node = options.node
    this.#members = options.node?.kind === "object" ? options.node.members : new Map()
    this.#server = options.server
    this.#path = options.path
  }

  /** Tells of something; `at` names a member, and what is in it. */
  tell(
    code: FindingCode,
    message: string,
    at: ReadonlyArray<string | number> = [],
    severity: Severity = findingCodes[code],
  ): void {
    const [member] = at
    const node = member === undefined ? this.#node : this.#members.get(String(member))
    const { line, column } = node?.position ?? this.#node?.position ?? {}
    this.findings.push({
      code,
      severity,
      client: this.client,
      ...(this.#path === undefined ? {} : { path: this.#path }),
      ...(this.#server === undefined ? {} : { server: this.#server }),
      pointer: pointerTo(this.pointer, ...at),
      ...(line === undefined || column === undefined ? {} : { line, column }),
      message,
    })
  }

  /** Something is wrong with a member, so that it cannot be used. */
  wrongType(at: ReadonlyArray<string | number>, wanted: string): undefined {
    this.tell("wrong-type", `${at.join(".")} has to be ${wanted}.`, at)
    return undefined
  }

  /** The first of the names that the entry has; all of them count as understood. */
  member(names: Names = []): readonly [name: string, node: ConfigNode] | undefined {
    for (const name of names) this.#seen.add(name)
    for (const name of names) {
      const node = this.#members.get(name)
      if (node !== undefined && !(node.kind === "scalar" && node.value === null)) {
        return [name, node]
      }
    }
    return undefined
  }

  has(name: string): boolean {
    return this.#members.has(name)
  }

  /** Names that nobody has asked for. */
  get extras(): ReadonlyArray<string> {
    return [...this.#members.keys()].filter((name) => !this.#seen.has(name))
  }

  /** A text. Numbers and booleans are taken for texts, which not every client does. */
  textAt(node: ConfigNode, at: ReadonlyArray<string | number>): string | undefined {
    if (node.kind !== "scalar" || node.value === null) return this.wrongType(at, "a text")
    if (typeof node.value === "string") return node.value
    this.tell("not-a-string", `${at.join(".")} is no text; put it in quotes.`, at)
    return String(node.value)
  }

  text(names?: Names): string | undefined {
    const found = this.member(names)
    return found === undefined ? undefined : this.textAt(found[1], [found[0]])
  }

  flag(names?: Names): boolean | undefined {
    const found = this.member(names)
    if (found === undefined) return undefined
    const [name, node] = found
    return node.kind === "scalar" && typeof node.value === "boolean"
      ? node.value
      : this.wrongType([name], "true or false")
  }

  number(names?: Names): number | undefined {
    const found = this.member(names)
    if (found === undefined) return undefined
    const [name, node] = found
    const value = node.kind === "scalar" ? node.value : undefined
    return typeof value === "number" && Number.isFinite(value) && value > 0
      ? value
      : this.wrongType([name], "a number above 0")
  }

  /** A list of texts; undefined where there is none, and where it is none. */
  texts(names?: Names): ReadonlyArray<string> | undefined {
    const found = this.member(names)
    if (found === undefined) return undefined
    const [name, node] = found
    if (node.kind !== "list") return this.wrongType([name], "a list of texts")
    const texts = node.items.map((item, index) => this.textAt(item, [name, index]))
    return texts.every((text) => text !== undefined) ? texts : undefined
  }

  /** Texts by name. One that is none is told of and left out. */
  textRecord(names?: Names): ReadonlyArray<readonly [name: string, text: string, member: string]> {
    const found = this.member(names)
    if (found === undefined) return []
    const [member, node] = found
    if (node.kind !== "object") {
      this.wrongType([member], "an object of texts")
      return []
    }
    return [...node.members].flatMap(([name, value]) => {
      if (name === "__proto__") {
        this.tell("forbidden-name", `${member} must not name __proto__.`, [member])
        return []
      }
      const text = this.textAt(value, [member, name])
      return text === undefined ? [] : [[name, text, member] as const]
    })
  }
}
