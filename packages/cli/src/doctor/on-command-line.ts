import type { ConfigSource, Target } from "../target.js"

/** A word as a shell takes it for one. */
const word = (text: string): string =>
  /^[\w./~:@%+,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`

/** A server of a configuration file as a command line names it. */
export const serverOnCommandLine = (name: string, { config, from }: ConfigSource): string =>
  [
    word(name),
    ...(config === undefined ? [] : ["--config", word(config)]),
    ...(from === undefined ? [] : ["--from", word(from)]),
  ].join(" ")

/** A target as a command line names it; undefined where the trace itself shows it best, without secrets. */
export const onCommandLine = (target: Target): string | undefined => {
  if (target.kind === "demo") return target.name
  return target.kind === "server" ? serverOnCommandLine(target.name, target) : undefined
}
