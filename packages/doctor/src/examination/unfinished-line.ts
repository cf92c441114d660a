import * as Effect from "effect/Effect"
import type { Trace } from "@entente/trace"
import type { Transport } from "@entente/transport"

const begun = /^A line of \d+ bytes has begun and not ended/

/**
 * The same transport; where a process was left in the middle of a line, the trace says so. The transport
 * notes it only where the stream ends by itself, because until then the rest may still come (C067).
 */
export const tellingOfUnfinished = (transport: Transport, trace: Trace): Transport => ({
  ...transport,
  open: Effect.gen(function* () {
    const channel = yield* transport.open
    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        const report = channel.process?.()
        const { finding } = report ?? {}
        // A process that ended has had its last line noted.
        if (report?.exitCode !== undefined || report?.signal !== undefined) return
        if (finding === undefined || !begun.test(finding)) return
        trace.emit({ type: "note", code: "truncated-line", detail: finding })
      }),
    )
    return channel
  }),
})
