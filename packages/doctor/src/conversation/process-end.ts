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

/** Whether the client had closed its input, or sent a signal, before the process ended. */
const wasStopped = ({ transitions, processes }: Conversation, from: number, to: number): boolean =>
  transitions.some(
    ({ chart, to: state, index }) =>
      chart === "childProcess" && stopping.has(state) && index > from && index < to,
  ) || processes.some(({ event, index }) => event === "signalled" && index > from && index < to)

/**
 * The last end of a process that nobody had asked for. A process that is told to stop ends as well, and that
 * says nothing.
 */
export const endOfProcess = (conversation: Conversation): ProcessEnd | undefined =>
  conversation.processes
    .filter(({ event }) => event === "exited")
    .flatMap((exit) => ownEnd(conversation, exit) ?? [])
    .at(-1)

const ownEnd = (conversation: Conversation, exit: ProcessMoment): ProcessEnd | undefined => {
  const { processes, channels, errors } = conversation
  const { index, at, detail } = exit
  const spawned = processes.filter(({ event }) => event === "spawned")
  const from = spawned.findLast((one) => one.index < index)?.index ?? -1
  const to = spawned.find((one) => one.index > index)?.index ?? Infinity
  // Whoever kept the channel says whether it ended by itself; without one the exit has to speak for itself.
  const isTold = [...channels.filter(({ event }) => event === "closed"), ...errors].some(
    (one) => one.code === "process-exited" && one.index > from && one.index < to,
  )
  const code = /\bcode:? (\d{1,10})\b/.exec(detail)?.[1]
  const signal = /\b(SIG[A-Z0-9]{2,10})\b/.exec(detail)?.[1]
  const speaks = channels.length === 0 && (code !== undefined || signal !== undefined)
  if (!isTold && !(speaks && !wasStopped(conversation, from, index))) return undefined
  return {
    index,
    at,
    code: code === undefined ? undefined : Number(code),
    signal,
    stderr: processes.filter(
      (one) => one.event === "stderr" && one.index > from && one.index < index,
    ),
  }
}
