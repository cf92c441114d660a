import type { DemoEra } from "./demo/identity.js"
import { UsageError } from "./usage-error.js"

/** The server that a command is about. */
export type Target =
  | { readonly kind: "url"; readonly url: string }
  | { readonly kind: "websocket"; readonly url: string }
  | { readonly kind: "unix"; readonly path: string }
  | { readonly kind: "tcp"; readonly host: string; readonly port: number }
  | { readonly kind: "demo"; readonly name: string; readonly era: DemoEra }
  /** What an earlier `--trace` wrote. */
  | { readonly kind: "replay"; readonly path: string }
  | { readonly kind: "command"; readonly command: string; readonly args: ReadonlyArray<string> }
  | ServerTarget

/** A server by its name in a configuration file. */
export interface ServerTarget extends ConfigSource {
  readonly kind: "server"
  readonly name: string
}

/** Which configuration files count: one, those of one client, or all that are found. */
export interface ConfigSource {
  readonly config: string | undefined
  /** As written: it is checked when the files are looked up. */
  readonly from: string | undefined
}

const demos: Readonly<Record<string, DemoEra>> = {
  demo: "dual",
  "demo:legacy": "legacy",
  "demo:modern": "modern",
}

const hint =
  "A target is a URL (http, https, ws, wss), unix:PATH, tcp://HOST:PORT, demo, demo:legacy, demo:modern, replay:FILE or a server of a configuration file; a command comes last, after --."

const replayed = "replay:"

const commandTarget = ([command, ...args]: ReadonlyArray<string>): Target => {
  if (command === undefined || command === "") {
    throw new UsageError("There is no command after --.", hint)
  }
  return { kind: "command", command, args }
}

const tcpTarget = (word: string): Target | undefined => {
  const [, bracketed, plain, port] =
    /^tcp:\/\/(?:\[([^\]]+)\]|([^:/]+)):(\d+)\/?$/i.exec(word) ?? []
  const host = bracketed ?? plain
  return host === undefined ? undefined : { kind: "tcp", host, port: Number(port) }
}

const unixTarget = (word: string): Target | undefined => {
  const [, path] = /^unix:(?:\/\/(?=\/))?(.+)$/i.exec(word) ?? []
  return path === undefined ? undefined : { kind: "unix", path }
}

/** A word with a scheme, if it is an address of a kind that is known. */
const addressTarget = (word: string): Target | undefined => {
  if (!URL.canParse(word)) return undefined
  if (/^https?:\/\//i.test(word)) return { kind: "url", url: word }
  if (/^wss?:\/\//i.test(word)) return { kind: "websocket", url: word }
  return tcpTarget(word) ?? unixTarget(word)
}

/** A word that begins as addresses do. */
const addressLike = /^[a-z][a-z0-9+.-]*:/i

const namedTarget = (word: string, source: ConfigSource): Target => {
  const era = Object.hasOwn(demos, word) ? demos[word] : undefined
  if (era !== undefined) return { kind: "demo", name: word, era }
  if (word.startsWith(replayed)) {
    const path = word.slice(replayed.length)
    if (path === "") throw new UsageError("replay: needs a file, for example replay:out.jsonl.")
    return { kind: "replay", path }
  }
  const address = addressTarget(word)
  if (address !== undefined) return address
  const server: ServerTarget = { kind: "server", name: word, ...source }
  if (source.config !== undefined || source.from !== undefined) return server
  const withScheme = `http://${word}`
  if (/^[\w.-]+(:\d+)?\/|^[\w.-]+:\d+$/.test(word) && URL.canParse(withScheme)) {
    throw new UsageError(`${word} is no URL. Did you mean ${withScheme}?`, hint)
  }
  if (addressLike.test(word)) throw new UsageError(`${word} is neither a URL nor a demo.`, hint)
  return server
}

/**
 * Takes the target off the words of a command line: the first of them, or the command after `--`.
 * Returns the other words with it.
 */
export const takeTarget = (
  words: ReadonlyArray<string>,
  afterDashes: ReadonlyArray<string> | undefined,
  source: ConfigSource = { config: undefined, from: undefined },
): { readonly target: Target; readonly rest: ReadonlyArray<string> } => {
  if (afterDashes !== undefined) return { target: commandTarget(afterDashes), rest: words }
  const [first, ...rest] = words
  if (first === undefined) throw new UsageError("There is no target.", hint)
  return { target: namedTarget(first, source), rest }
}
