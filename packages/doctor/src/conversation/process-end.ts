import type { Conversation, ProcessMoment } from "./conversation.js"
import type { Mark } from "./frame.js"

/** How the process of a server ended by itself. */
export interface ProcessEnd extends Mark {
  /** Undefined where a signal ended it, or where nobody says. */
  readonly code: number | undefined
  readonly signal: string | undefined
  /** What it wrote to stderr from its start on, line by line. */
  readonly stderr: ReadonlyArray<ProcessMoment>
}

const stopping: ReadonlySet<string> = new Set(["closingInput", "terminating", "killing"])

type Kind = "spawned" | "exited" | "stopped" | "told" | "stderr" | "other"

/** One process, from its start on. */
interface Life {
  readonly stderr: Array<ProcessMoment>
  end:
    | { readonly exit: ProcessMoment; readonly lines: number; readonly stopped: boolean }
    | undefined
  /** The client had closed its input, or sent a signal. */
  stopped: boolean
  /** Whoever kept the channel says that it ended by itself. */
  told: boolean
}

const kinds = {
  spawned: "spawned",
  exited: "exited",
  signalled: "stopped",
  stderr: "stderr",
  noise: "other",
} as const satisfies Record<ProcessMoment["event"], Kind>

/** Everything that matters to the life of processes, in order. */
const stepsOf = ({ processes, transitions, channels, errors }: Conversation) => {
  const exited = ({ code }: { readonly code: string | undefined }) => code === "process-exited"
  const told = [...channels.filter(({ event }) => event === "closed"), ...errors].filter(exited)
  const stopped = transitions.filter(
    ({ chart, to }) => chart === "childProcess" && stopping.has(to),
  )
  return [
    ...processes.map((moment) => ({ kind: kinds[moment.event], index: moment.index, moment })),
    ...told.map(({ index }) => ({ kind: "told", index, moment: undefined }) as const),
    ...stopped.map(({ index }) => ({ kind: "stopped", index, moment: undefined }) as const),
  ].toSorted((one, other) => one.index - other.index)
}

const livesOf = (conversation: Conversation): ReadonlyArray<Life> => {
  const begun = (): Life => ({ stderr: [], end: undefined, stopped: false, told: false })
  const lives = [begun()]
  let life = lives[0] ?? begun()
  for (const { kind, moment } of stepsOf(conversation)) {
    if (kind === "spawned") lives.push((life = begun()))
    else if (kind === "told") life.told = true
    else if (kind === "stopped") life.stopped = true
    else if (kind === "stderr" && moment !== undefined) life.stderr.push(moment)
    else if (kind === "exited" && moment !== undefined) {
      life.end = { exit: moment, lines: life.stderr.length, stopped: life.stopped }
    }
  }
  return lives
}

/**
 * The last end of a process that nobody had asked for. A process that is told to stop ends as well, and that
 * says nothing.
 */
export const endOfProcess = (conversation: Conversation): ProcessEnd | undefined => {
  const life = livesOf(conversation).findLast((one) => isOwnEnd(one, conversation))
  if (life?.end === undefined) return undefined
  const { exit, lines } = life.end
  const { index, at } = exit
  return { index, at, ...endingOf(exit), stderr: life.stderr.slice(0, lines) }
}

const isOwnEnd = ({ end, told }: Life, { channels }: Conversation): boolean => {
  if (end === undefined || told) return end !== undefined
  // Without anybody who kept the channel the exit has to speak for itself.
  const { code, signal } = endingOf(end.exit)
  return channels.length === 0 && !end.stopped && (code !== undefined || signal !== undefined)
}

const endingOf = ({ detail }: ProcessMoment): Pick<ProcessEnd, "code" | "signal"> => {
  const code = /\bcode:? (\d{1,10})\b/.exec(detail)?.[1]
  return {
    code: code === undefined ? undefined : Number(code),
    signal: /\b(SIG[A-Z0-9]{2,10})\b/.exec(detail)?.[1],
  }
}
