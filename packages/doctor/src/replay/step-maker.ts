import { isJsonObject } from "@entente/protocol"
import type { FrameEvent, TraceEvent, TransitionEvent } from "@entente/trace"
import { StateBook } from "./chart-states.js"
import { idText } from "./recorded-message.js"
import { beginsStep, isClosing, type ReplayStep, type StepSubject } from "./step.js"

/** A step that is under way: what the charts do until the next one belongs to it. */
interface Begun {
  readonly subject: StepSubject
  readonly at: number
  readonly transitions: Array<TransitionEvent>
  status?: number
  error?: NonNullable<ReplayStep["error"]>
}

/** What is told just before the connection's own chart is told to be closing, which is its cause. */
const foreboding: ReadonlySet<string> = new Set(["listing lost", "httpSession end"])

const isForeboding = ({ chart, event }: TransitionEvent): boolean =>
  foreboding.has(`${chart} ${event}`)

const isAnswer = (message: unknown): boolean => isJsonObject(message) && !("method" in message)

/** The status in what became of a message, where it tells of no answer that has a step of its own. */
const statusIn = (outcome: unknown): number | undefined => {
  if (!isJsonObject(outcome)) return undefined
  const { status, messages, rejection } = outcome
  if (isJsonObject(rejection) && typeof rejection["status"] === "number") return rejection["status"]
  return typeof status === "number" && messages === 0 ? status : undefined
}

/**
 * Makes steps of the events of a trace: each message, each turn in the life of the channel, and the close. A step
 * is complete when the next one begins.
 */
export class StepMaker {
  readonly #book = new StateBook()
  readonly #tell: (step: ReplayStep) => void
  /** Transitions before the first step. */
  readonly #early: Array<TransitionEvent> = []
  /** Statuses by exchange, and methods by the id of the request, of the channel that is there. */
  readonly #statuses = new Map<number, number>()
  readonly #methods = new Map<string, string>()
  /** Not yet told, because what they belong to is told after them. */
  readonly #held: Array<TransitionEvent> = []
  #begun: Begun | undefined
  #number = 0
  #start: number | undefined

  constructor(tell: (step: ReplayStep) => void) {
    this.#tell = tell
  }

  /** Takes the next event; `recorded` is the number that the same event has in the recording. */
  take(event: TraceEvent, recorded?: number): void {
    this.#start ??= event.at
    if (event.type === "http" && event.status !== undefined) {
      this.#statuses.set(event.exchange, event.status)
    }
    if (event.type === "transition" && isForeboding(event)) {
      this.#held.push(event)
      return
    }
    if (isClosing(event)) this.begin({ kind: "close" }, event.at)
    for (const held of this.#held.splice(0)) this.#move(held)
    if (event.type === "transition") this.#move(event)
    if (event.type === "error" && this.#begun !== undefined) {
      const { code, stage, message } = event
      this.#begun.error = { code, stage, message }
    }
    if (event.type === "outcome") this.#refused(event.send, event.outcome)
    if (event.type === "unreadable") this.#unread(event.exchange)
    if (!beginsStep(event)) return
    if (event.type === "channel") {
      if (event.event === "opened") this.#methods.clear()
      this.begin({ kind: "channel", event }, event.at)
    } else this.#frame(event, recorded)
  }

  /** Completes the step under way and begins another. */
  begin(subject: StepSubject, at: number): void {
    this.#complete()
    this.#start ??= at
    this.#begun = { subject, at, transitions: this.#early.splice(0) }
  }

  /** Completes the step under way; nothing comes after it. */
  end(): void {
    for (const held of this.#held.splice(0)) this.#move(held)
    this.#complete()
  }

  #move(transition: TransitionEvent): void {
    // A process is no part of a replay, and its chart does not run.
    if (transition.chart === "childProcess") return
    this.#book.take(transition)
    ;(this.#begun?.transitions ?? this.#early).push(transition)
  }

  #complete(): void {
    const begun = this.#begun
    if (begun === undefined) return
    this.#begun = undefined
    const { subject, at, transitions, status, error } = begun
    this.#tell({
      ...subject,
      number: ++this.#number,
      sinceStartMs: at - (this.#start ?? at),
      ...(status === undefined ? {} : { status }),
      ...(error === undefined ? {} : { error }),
      states: this.#book.states,
      transitions,
    })
  }

  #frame(frame: FrameEvent, recorded: number | undefined): void {
    const { message, direction, exchange } = frame
    const answers = this.#answered(message, direction)
    this.begin(
      {
        kind: "frame",
        frame,
        ...(answers === undefined ? {} : { answers }),
        ...(recorded === undefined ? {} : { recorded }),
      },
      frame.at,
    )
    const status = exchange === undefined ? undefined : this.#statuses.get(exchange)
    if (direction === "in" && status !== undefined && this.#begun) this.#begun.status = status
  }

  /** Remembers a request, or finds the one that is answered. */
  #answered(message: unknown, direction: "in" | "out"): string | undefined {
    if (!isJsonObject(message) || !("id" in message)) return undefined
    const { method } = message
    const id = idText(message["id"])
    // Both sides number their requests by themselves.
    if (isAnswer(message)) return this.#methods.get(`${direction === "in" ? "out" : "in"} ${id}`)
    if (typeof method === "string") this.#methods.set(`${direction} ${id}`, method)
    return undefined
  }

  /** An answer that nobody could read: all there is to show is its status. */
  #unread(exchange: number): void {
    const subject = this.#begun?.subject
    const status = this.#statuses.get(exchange)
    const isSame = subject?.kind === "frame" && subject.frame.exchange === exchange
    if (isSame && status !== undefined && this.#begun) this.#begun.status = status
  }

  #refused(send: number, outcome: unknown): void {
    const subject = this.#begun?.subject
    const isSame =
      subject?.kind === "frame" && subject.frame.direction === "out" && subject.frame.send === send
    const status = statusIn(outcome)
    if (isSame && status !== undefined && this.#begun) this.#begun.status = status
  }
}

/**
 * The steps of a trace as it was recorded: what the charts did then. Without transitions in the trace the states
 * are empty.
 *
 * @example
 * const live = stepsOf(events).map(({ states }) => states.connection)
 */
export const stepsOf = (events: Iterable<TraceEvent>): ReadonlyArray<ReplayStep> => {
  const steps: Array<ReplayStep> = []
  const maker = new StepMaker((step) => steps.push(step))
  for (const event of events) maker.take(event, event.seq)
  maker.end()
  return steps
}
