import type { Trace } from "@entente/trace"

/**
 * Tells a trace that the copies of a tap cannot be read any more: a fault of ours, which must not disturb
 * what is handed on, nor go unseen.
 */
export const blindness =
  (trace: Trace) =>
  (cause: unknown): void => {
    const why = cause instanceof Error ? cause.message : String(cause)
    trace.emit({
      type: "note",
      code: "tap-blind",
      detail: `From here on something is missing: ${why}`,
    })
  }

/** Looks at something that passes, and goes on where that fails. */
export const looking =
  (blind: (cause: unknown) => void) =>
  <A>(see: () => A, otherwise: A): A => {
    try {
      return see()
    } catch (cause) {
      blind(cause)
      return otherwise
    }
  }
