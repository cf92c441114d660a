import * as Effect from "effect/Effect"
import { CurrentTrace } from "@entente/trace"
import { currentTimers } from "../timers.js"
import type { Transport } from "../transport.js"
import { FaultRules, type Fault, type FaultRule } from "./fault-rule.js"
import { FaultyChannel } from "./faulty-channel.js"

export interface FaultyOptions {
  /** Chooses the faults: the same seed and the same calls meet the same faults. */
  readonly seed: number
  /** Asked in order for every message; all that strike are combined. */
  readonly rules: ReadonlyArray<FaultRule>
  /** Hears of every fault as it is injected. It must not throw. */
  readonly onFault?: (fault: Fault) => void
}

/**
 * The same transport on a bad day: messages are late, lost, doubled, cut or overtaken, streams stall,
 * connections break. What a fault does is what the medium would do: nothing of one stream is reordered
 * unless that is forced (V25-CUST-04), and every send still settles once. Each fault is told to `onFault`,
 * and to the current trace as a note `injected-fault`.
 *
 * Throws `InvalidInput` for a rule that makes no sense.
 *
 * @example
 * faulty(transport, {
 *   seed: 7,
 *   rules: [
 *     { fault: "latency", ms: 20, jitterMs: 80 },
 *     { fault: "loss", probability: 0.1, when: { direction: "in", method: "tools/list" } },
 *     { fault: "disconnect", when: { nth: 12 }, times: 1 },
 *   ],
 * })
 */
export const faulty = (transport: Transport, options: FaultyOptions): Transport => {
  const { seed, onFault } = options
  const rules = new FaultRules(seed, options.rules)
  let channels = 0
  const wrapped = (below: Transport): Transport => ({
    ...below,
    open: Effect.gen(function* () {
      const trace = yield* CurrentTrace
      const timers = yield* currentTimers
      const inner = yield* below.open
      const { kind, target } = below
      const told = (fault: Fault): void => {
        if (trace.active) trace.emit({ type: "note", code: "injected-fault", detail: said(fault) })
        onFault?.(fault)
      }
      const place = { kind, target, seed, channel: ++channels }
      // Released before the channel below it, so that nothing it still says is waited for.
      const opened = yield* Effect.acquireRelease(
        Effect.sync(() => new FaultyChannel(inner, { ...place, rules, timers, told })),
        (open) => Effect.sync(() => open.release()),
      )
      return opened.channel
    }),
    ...(below.fallback && { fallback: wrapped(below.fallback) }),
  })
  return wrapped(transport)
}

const said = ({
  fault,
  direction,
  method = "an answer",
  channel,
  exchange,
  message,
}: Fault): string =>
  `${fault}, ${direction}: ${method} (message ${message} of exchange ${exchange}, channel ${channel})`
