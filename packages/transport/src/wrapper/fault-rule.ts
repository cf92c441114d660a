import { explain, InvalidInput } from "@entente/protocol"
import type { Channel } from "../transport.js"
import { randomAt, type Random } from "./random.js"

export type Direction = "out" | "in"

/** Which messages a rule is for: all conditions given must hold. */
export interface FaultCondition {
  /** `out`: to the server; `in`: from it. */
  readonly direction?: Direction
  /** The method of the message, or of the request that it answers. */
  readonly method?: string
  /** Only the n-th message of a channel, from 1, for which the other conditions hold. */
  readonly nth?: number
}

/** What goes wrong with a message. */
export type FaultKind =
  /** It is delayed by `ms`, and by up to `jitterMs` more. Nothing of its stream overtakes it. */
  | { readonly fault: "latency"; readonly ms: number; readonly jitterMs?: number }
  /** It vanishes, and nobody is told. */
  | { readonly fault: "loss" }
  /** It arrives twice. */
  | { readonly fault: "duplicate" }
  /**
   * The next message overtakes it, or `maxWaitMs` (default 100) pass. Within one stream no medium does
   * that (V25-CUST-04), so it is for messages of different HTTP exchanges, unless `force` is set.
   */
  | { readonly fault: "reorder"; readonly maxWaitMs?: number; readonly force?: boolean }
  /** Only `in`: it is cut in the middle. Faults in bytes that go out are for `faultyEngine`. */
  | { readonly fault: "truncate" }
  /** It and everything after it in its stream is held up, for `ms` or for good. */
  | { readonly fault: "stall"; readonly ms?: number }
  /** Right after it the channel ends; over HTTP, its exchange. */
  | { readonly fault: "disconnect" }

export type FaultRule = FaultKind & {
  readonly when?: FaultCondition
  /** From 0 to 1; default 1. */
  readonly probability?: number
  /** How often it strikes at most, over all channels. Default: without end. */
  readonly times?: number
}

/** A fault that was injected. */
export interface Fault {
  readonly seed: number
  readonly fault: FaultKind["fault"]
  readonly direction: Direction
  /** Of the message, or of the request it answers; absent where that is not known. */
  readonly method: string | undefined
  /** The opening of the transport, from 1. */
  readonly channel: number
  /** The exchange, 0 on a shared channel; the number of the message where it is not sent yet. */
  readonly exchange: number
  /** The number of the message in its stream, from 1. */
  readonly message: number
}

/** A message that is asked about. */
export interface Subject {
  readonly direction: Direction
  readonly method: string | undefined
  readonly channel: number
  readonly exchange: number
  readonly message: number
}

/** A rule that strikes, with the numbers it may draw. */
export interface Strike {
  readonly rule: FaultRule
  readonly random: Random
}

const isShare = (value: number | undefined): boolean =>
  value === undefined || (value >= 0 && value <= 1)

const isAmount = (value: number | undefined): boolean => value === undefined || value >= 0

const wrongIn = (rule: FaultRule): string | undefined => {
  const { fault, probability, when = {}, times } = rule
  if (!isShare(probability)) return "probability is a number from 0 to 1"
  if (when.nth !== undefined && !(when.nth >= 1)) return "nth counts from 1"
  if (!isAmount(times)) return "times is no negative number"
  if (fault === "truncate" && when.direction === "out")
    return "truncate is for messages that come in"
  const durations =
    fault === "latency"
      ? [rule.ms, rule.jitterMs]
      : fault === "stall"
        ? [rule.ms]
        : fault === "reorder"
          ? [rule.maxWaitMs]
          : []
  return durations.every(isAmount) ? undefined : "milliseconds are no negative number"
}

/** A byte stream keeps its order (V25-STDIO-03, V26-CUST-04): there reordering has to be forced. */
const isPossible = (
  rule: FaultRule,
  direction: Direction,
  exchanges: Channel["exchanges"],
): boolean => {
  if (rule.fault === "truncate") return direction === "in"
  return rule.fault !== "reorder" || rule.force === true || exchanges === "per-request"
}

/** Decides which rules strike. Each decision depends on the seed and on the message's place alone. */
export class FaultRules {
  readonly #seed: number
  readonly #rules: ReadonlyArray<FaultRule>
  readonly #struck = new Map<FaultRule, number>()

  /** Throws `InvalidInput` for a rule that makes no sense. */
  constructor(seed: number, rules: ReadonlyArray<FaultRule>) {
    this.#seed = seed
    this.#rules = rules
    for (const [index, rule] of rules.entries()) {
      const wrong = wrongIn(rule)
      if (wrong === undefined) continue
      const what = `Rule ${index + 1} (${rule.fault}) of a faulty transport: ${wrong}.`
      throw new InvalidInput(explain("invalid-input", "input", "faulty", what))
    }
  }

  /** A judge for one channel: `nth` counts its messages. */
  forChannel(exchanges: Channel["exchanges"]): (subject: Subject) => ReadonlyArray<Strike> {
    const met = new Map<FaultRule, number>()
    return (subject) =>
      this.#rules.flatMap((rule, index) => {
        const { direction, method, nth } = rule.when ?? {}
        if (direction !== undefined && direction !== subject.direction) return []
        if (!isPossible(rule, subject.direction, exchanges)) return []
        if (method !== undefined && method !== subject.method) return []
        const count = (met.get(rule) ?? 0) + 1
        met.set(rule, count)
        if (nth !== undefined && nth !== count) return []
        const { channel, exchange, message } = subject
        const side = subject.direction === "out" ? 0 : 1
        const random = randomAt(this.#seed, channel, side, exchange, message, index)
        if (random() >= (rule.probability ?? 1)) return []
        const struck = this.#struck.get(rule) ?? 0
        if (struck >= (rule.times ?? Infinity)) return []
        this.#struck.set(rule, struck + 1)
        return [{ rule, random }]
      })
  }
}
