import { parseArgs } from "node:util"
import { misbehaviours } from "../misbehaviour/catalogue.js"
import { scenesOf, type Misbehaviour, type Scene } from "../misbehaviour/misbehaviour.js"
import { nearestNames } from "./nearest-name.js"
import type { Serving } from "./serve.js"
import { UsageError } from "./usage-error.js"
import { visibleText } from "./visible-text.js"

/** What a command line asks for. */
export type Invocation =
  | { readonly name: "help" }
  | { readonly name: "version" }
  | { readonly name: "list"; readonly json: boolean }
  | ({ readonly name: "serve" } & Serving)

const options = {
  help: { type: "boolean", short: "h" },
  version: { type: "boolean", short: "v" },
  json: { type: "boolean" },
  over: { type: "string" },
  era: { type: "string" },
  port: { type: "string" },
  host: { type: "string" },
  log: { type: "boolean" },
} as const

type Flag = keyof typeof options

/** Which flags a command takes, besides `--help`. */
const flagsOf: Readonly<Record<"list" | "serve", ReadonlyArray<Flag>>> = {
  list: ["json"],
  serve: ["over", "era", "port", "host", "log"],
}

const parsed = (argv: ReadonlyArray<string>) => {
  try {
    return parseArgs({ args: [...argv], options, allowPositionals: true })
  } catch (error) {
    throw new UsageError(error instanceof Error ? (error.message.split(". ")[0] ?? "") : "")
  }
}

const misbehaviourOf = (name: string | undefined): Misbehaviour => {
  if (name === undefined)
    throw new UsageError("serve needs a NAME; `entente-testkit list` has them")
  const found = misbehaviours.find((one) => one.name === name)
  if (found !== undefined) return found
  const meant = nearestNames(
    name,
    misbehaviours.map((one) => one.name),
  )
  throw new UsageError(
    `There is no misbehaviour "${visibleText(name, 80)}"` +
      (meant.length === 0 ? "" : `. Did you mean ${meant.join(", ")}?`),
  )
}

const sceneOf = (misbehaviour: Misbehaviour, over?: string, era?: string): Scene => {
  const scenes = scenesOf(misbehaviour)
  const scene = scenes.find(
    (one) => (over ?? one.over) === one.over && (era ?? one.era) === one.era,
  )
  if (scene !== undefined) return scene
  const possible = scenes.map((one) => `--over ${one.over} --era ${one.era}`)
  throw new UsageError(`${misbehaviour.name} can be served with:\n  ${possible.join("\n  ")}`)
}

const portOf = (text: string): number => {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) {
    throw new UsageError("--port takes a number from 0 to 65535")
  }
  return Number(text)
}

/** Reads a command line without the program's own name; throws a `UsageError` where it makes no sense. */
export const readArguments = (argv: ReadonlyArray<string>): Invocation => {
  const { values, positionals } = parsed(argv)
  const [command, name, ...more] = positionals
  if (values.version === true) return { name: "version" }
  if (values.help === true || command === "help") return { name: "help" }
  if (command !== "list" && command !== "serve") {
    throw new UsageError(
      command === undefined
        ? "There is no command"
        : `There is no command "${visibleText(command, 80)}": it is list or serve`,
    )
  }
  const extra = command === "list" ? name : more[0]
  if (extra !== undefined) throw new UsageError(`${command} takes no "${visibleText(extra, 80)}"`)
  for (const flag of Object.keys(values)) {
    if (!flagsOf[command].some((known) => known === flag)) {
      throw new UsageError(`${command} has no flag --${flag}`)
    }
  }
  if (command === "list") return { name: "list", json: values.json === true }
  const misbehaviour = misbehaviourOf(name)
  const scene = sceneOf(misbehaviour, values.over, values.era)
  const address = {
    ...(values.port !== undefined && { port: portOf(values.port) }),
    ...(values.host !== undefined && { host: values.host }),
  }
  if (scene.over === "stdio" && Object.keys(address).length > 0) {
    throw new UsageError("stdio has no --port and no --host")
  }
  if (scene.over !== "stdio" && values.log === true) {
    throw new UsageError("--log is for stdio; elsewhere everything received is shown anyway")
  }
  return { name: "serve", misbehaviour, scene, address, log: values.log === true }
}
