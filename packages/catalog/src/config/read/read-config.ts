import { clients } from "../client/clients.js"
import type { ClientKind } from "../client/client-kind.js"
import type { ConfigNode, Trouble } from "../document/node.js"
import { readDocument } from "../document/read-document.js"
import { pointerTo, type ConfigFinding } from "../finding.js"
import type { InputDefinition, ServerConfig } from "../server-config.js"
import { Reader } from "./reader.js"
import { readServer } from "./read-server.js"

export interface ReadOptions {
  /** Whose file it is: another client reads the same text in another way. */
  readonly client: ClientKind
  /** The file's name, for the findings. */
  readonly path?: string
  /** The project's folder: one client keeps servers per project in one file. */
  readonly cwd?: string
}

/** What a file holds, as its client reads it. */
export interface ReadConfig {
  readonly client: ClientKind
  readonly path: string | undefined
  /** In the order of the file; without those that nobody could use. */
  readonly servers: ReadonlyArray<ServerConfig>
  readonly inputs: ReadonlyArray<InputDefinition>
  /** What is wrong with the file, and what its client would read differently from what is meant. */
  readonly faults: ReadonlyArray<ConfigFinding>
}

const troubleCodes = {
  comment: (title: string) => `${title} refuses a file with comments.`,
  "trailing-comma": (title: string) =>
    `${title} refuses a file with a comma before a closing bracket.`,
} as const

const sentence = ({ code, detail, pointer }: Trouble, title: string): string => {
  if (code === "comment" || code === "trailing-comma") return troubleCodes[code](title)
  if (code === "duplicate-member") return `${pointer} ${detail}.`
  return code === "syntax-error"
    ? `The file cannot be read: ${detail}.`
    : `The file is given up: it is ${detail}.`
}

const isObject = (node: ConfigNode | undefined): node is ConfigNode & { kind: "object" } =>
  node?.kind === "object"

/** The value at a path of members. */
const at = (root: ConfigNode, path: ReadonlyArray<string>): ConfigNode | undefined =>
  path.reduce<ConfigNode | undefined>(
    (node, name) => (isObject(node) ? node.members.get(name) : undefined),
    root,
  )

/** The first name on the way to the servers, of every client: where a file has another's. */
const allRoots = [
  ...new Set(Object.values(clients).flatMap(({ roots }) => roots.map(([name]) => name))),
]

const inputsOf = (reader: Reader): ReadonlyArray<InputDefinition> => {
  const { inputs } = reader.row
  const found = reader.member(inputs === undefined ? [] : [inputs])
  if (found === undefined) return []
  const [member, node] = found
  if (node.kind !== "list") {
    reader.wrongType([member], "a list")
    return []
  }
  return node.items.flatMap((item, index) => {
    const text = (name: string): string | undefined => {
      const value = isObject(item) ? item.members.get(name) : undefined
      return value?.kind === "scalar" && typeof value.value === "string" ? value.value : undefined
    }
    const id = text("id")
    if (id === undefined) {
      reader.tell("invalid-input", `${member} has an entry without an id.`, [member, index])
      return []
    }
    const secret = isObject(item) ? item.members.get("password") : undefined
    const password = secret?.kind === "scalar" && secret.value === true
    return [{ id, description: text("description"), password }]
  })
}

const serversIn = (
  node: ConfigNode & { kind: "object" },
  pointer: string,
  options: ReadOptions,
  findings: Array<ConfigFinding>,
): ReadonlyArray<ServerConfig> =>
  [...node.members].flatMap(([id, entry]) => {
    const reader = new Reader({
      client: options.client,
      path: options.path,
      pointer: pointerTo(pointer, id),
      node: entry,
      server: id,
      findings,
    })
    if (id === "__proto__" || id === "") {
      reader.tell("forbidden-name", "A server cannot have this name.")
      return []
    }
    if (!isObject(entry)) {
      reader.tell("not-an-object", "The entry of a server has to be an object.")
      return []
    }
    const from = {
      client: options.client,
      path: options.path,
      pointer: reader.pointer,
      line: entry.position?.line,
    }
    const server = readServer(reader, id, from)
    return server === undefined ? [] : [server]
  })

/**
 * Reads the text of a client's configuration file. It never throws: a broken file is a fault with its
 * place, and one broken server costs no other. References stay references; see `expandServer`.
 *
 * @example
 * readConfig('{"mcpServers":{"a":{"command":"npx","args":["server"]}}}', { client: "cursor" })
 */
export const readConfig = (text: string, options: ReadOptions): ReadConfig => {
  const { client, path, cwd } = options
  const row = clients[client]
  const faults: Array<ConfigFinding> = []
  const result = (
    servers: ReadonlyArray<ServerConfig>,
    inputs: ReadonlyArray<InputDefinition>,
  ): ReadConfig => ({ client, path, servers, inputs, faults })

  const { root, troubles } = readDocument(text, row.format)
  for (const trouble of troubles) {
    const { code, pointer, position } = trouble
    const node: ConfigNode = { kind: "scalar", value: null, position }
    const reader = new Reader({ client, path, pointer, node, findings: faults })
    reader.tell(code, sentence(trouble, row.title))
  }
  const reader = new Reader({ client, path, pointer: "", node: root, findings: faults })
  // An empty file of YAML or TOML is a file without servers.
  if (root === undefined || (root.kind === "scalar" && root.value === null && text.trim() === "")) {
    return result([], [])
  }
  if (!isObject(root)) {
    reader.tell("not-an-object", "The file has to be an object.")
    return result([], [])
  }
  const roots = row.roots
    .map((names) => names.map((name) => (name === "{cwd}" ? (cwd ?? "") : name)))
    .flatMap((names) => {
      const node = at(root, names)
      if (node === undefined) return []
      if (isObject(node)) return [{ node, pointer: pointerTo("", ...names) }]
      reader.tell("not-an-object", `${names.join(".")} has to be an object of servers.`, names)
      return []
    })
  if (roots.length === 0 && faults.length === troubles.length) {
    const wanted = row.roots[0]?.join(".") ?? ""
    const other = allRoots.find((name) => name !== undefined && reader.has(name))
    if (other === undefined) reader.tell("no-servers", `There is no ${wanted} in the file.`)
    else {
      reader.tell("other-root", `${row.title} looks for ${wanted}, and the file has ${other}.`, [
        other,
      ])
    }
  }
  const servers = roots.flatMap(({ node, pointer }) => serversIn(node, pointer, options, faults))
  // The same name under two roots: the nearer one, which stands later in the table, counts.
  const byId = new Map(servers.map((server) => [server.id, server]))
  return result([...byId.values()], inputsOf(reader))
}
