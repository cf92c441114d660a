import type { CommandLine } from "./flags.js"
import type { Presentation } from "./presentation.js"
import { UsageError } from "./usage-error.js"

/** What `entente replay` is to show, and how fast. */
export interface ReplayInvocation extends Presentation {
  readonly name: "replay"
  readonly path: string
  /** `at-once`; `step` waits for a key; a number is how many times faster than recorded. */
  readonly pace: "at-once" | "step" | number
}

const readPace = ({ flags }: CommandLine, json: boolean): ReplayInvocation["pace"] => {
  const speed = flags.get("speed")?.[0]
  if (flags.has("step")) {
    if (json) throw new UsageError("--step is for people; it does not go with --json.")
    if (speed !== undefined)
      throw new UsageError("--step waits for keys; --speed does not go with it.")
    return "step"
  }
  if (speed === undefined) return "at-once"
  const factor = /^\d{1,6}(\.\d{1,6})?$/.test(speed) ? Number(speed) : 0
  if (factor <= 0)
    throw new UsageError("--speed takes a number above zero, for example --speed 10.")
  return factor
}

/** Reads the words and flags of `entente replay`. */
export const readReplayCommand = (
  line: CommandLine,
  presentation: Presentation,
): ReplayInvocation => {
  const [path, extra] = line.words
  if (path === undefined) {
    throw new UsageError(
      "There is no file to replay.",
      "entente replay FILE; --trace FILE writes one.",
    )
  }
  if (extra !== undefined) throw new UsageError(`replay takes one file, and no "${extra}".`)
  return { name: "replay", ...presentation, path, pace: readPace(line, presentation.json) }
}
