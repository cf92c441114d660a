import { explain, Unreachable, type ExpiredDeadline } from "@entente/protocol"

/** How long an exchange may take, in milliseconds; Infinity for no limit. */
export interface Deadlines {
  /** From a request to the head of its answer, connecting included. */
  readonly firstByte: number
  /**
   * Between two pieces of a body. Undefined: no limit where silence is legal (V26-HTTP-13), and
   * `defaultIdle` everywhere else.
   */
  readonly idle: number | undefined
  /** From the start of an exchange to the end of its answer, redirects and repetitions included. */
  readonly total: number
}

/**
 * A body that is one message is written in one go: a server that thinks does so before its head. A
 * minute without a byte is a dead connection, which nobody else would notice.
 */
export const defaultIdle = 60_000

/** Timers of the platform fire at once when they are set for longer than this. */
const longest = 2 ** 31 - 1

/** Whether a number of milliseconds is a limit at all. */
export const isLimit = (ms: number): boolean => ms <= longest

/** A deadline that an engine keeps has passed: only it sees how connections come about. */
export class ConnectDeadline extends Error {
  override readonly name = "ConnectDeadline"
  readonly ms: number
  /** The proxy that was on the way, without its credentials. */
  readonly proxy: string | undefined

  constructor(ms: number, proxy?: string) {
    super(`no connection within ${ms} ms`)
    this.ms = ms
    this.proxy = proxy
  }
}

const sentences: Readonly<
  Record<ExpiredDeadline["name"], (place: string, within: string) => string>
> = {
  connect: (place, within) => `There was no connection to ${place} ${within}.`,
  firstByte: (place, within) => `${place} did not begin to answer ${within}.`,
  idle: (place, within) => `${place} stopped in the middle of its answer: no byte came ${within}.`,
  total: (place, within) => `The exchange with ${place} was not over ${within}.`,
}

/** Says which deadline has passed, and how long it was. */
export const deadlinePassed = (
  target: string,
  place: string,
  deadline: ExpiredDeadline,
): Unreachable => {
  const { name, ms } = deadline
  const what = sentences[name](place, `within ${ms} ms`)
  const hint = `Raise timeouts.${name} if the server may take longer.`
  return new Unreachable({ ...explain("deadline-passed", "request", target, what, hint), deadline })
}
