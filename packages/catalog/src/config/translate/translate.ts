import { stringify as stringifyToml } from "smol-toml"
import { stringify as stringifyYaml } from "yaml"
import { inputsOf } from "../check/check-config.js"
import { clients } from "../client/clients.js"
import type { ClientKind } from "../client/client-kind.js"
import type { ConfigFinding } from "../finding.js"
import type { InputDefinition, ServerConfig } from "../server-config.js"
import { ServerWriter, type Entry } from "./write-server.js"

/** What is to be written. */
export interface TranslateInput {
  readonly servers: ReadonlyArray<ServerConfig>
  readonly inputs?: ReadonlyArray<InputDefinition>
}

export interface TranslateOptions {
  /**
   * Whether what is written in `env` and `headers`, and what looks like a secret elsewhere, is copied. Default
   * `false`: a reference to a variable stands there instead, with a finding that names it.
   */
  readonly copySecrets?: boolean
}

/** A file for another client. */
export interface Translation {
  readonly text: string
  /** What is not the same there. */
  readonly findings: ReadonlyArray<ConfigFinding>
}

type Tree = { readonly [name: string]: Tree | Entry | ReadonlyArray<object> }

const writers = {
  json: (tree: Tree) => `${JSON.stringify(tree, undefined, 2)}\n`,
  toml: (tree: Tree) => stringifyToml(tree),
  yaml: (tree: Tree) => stringifyYaml(tree),
} as const

const nested = (path: ReadonlyArray<string>, inner: Tree): Tree =>
  path.reduceRight<Tree>((tree, name) => ({ [name]: tree }), inner)

/** The definitions of what the servers ask for; what nobody has described is described by its id. */
const askedFor = ({ servers, inputs = [] }: TranslateInput) =>
  [...new Set(servers.flatMap(inputsOf))].map((id) => {
    const known = inputs.find((input) => input.id === id)
    return {
      type: "promptString",
      id,
      description: known?.description ?? id,
      password: known?.password ?? true,
    }
  })

/**
 * Writes servers down as a file of another client, references in that client's syntax. What it has no words
 * for is told of, and so is every secret that was not copied.
 *
 * @example
 * translate(readConfig(text, { client: "cursor" }), "codex").text
 */
export const translate = (
  input: TranslateInput,
  to: ClientKind,
  { copySecrets = false }: TranslateOptions = {},
): Translation => {
  const { roots, inputs, format } = clients[to]
  const findings: Array<ConfigFinding> = []
  const entries: Array<readonly [string, Entry]> = []
  for (const server of input.servers) {
    const writer = new ServerWriter(server, to, copySecrets)
    const entry = writer.write()
    findings.push(...writer.findings)
    if (entry !== undefined) entries.push([server.id, entry])
  }
  const tree = nested(roots[0] ?? [], Object.fromEntries(entries))
  const asked = inputs === undefined ? [] : askedFor(input)
  const whole = inputs === undefined || asked.length === 0 ? tree : { [inputs]: asked, ...tree }
  return { text: writers[format.kind](whole), findings }
}
