import type { TraceEvent } from "@entente/trace"

/** A line of a made-up recording: `[direction, message, milliseconds since the line before]`. */
export type Line = readonly ["out" | "in", unknown, number?]

/** The recording of a channel that a client of somebody else might have had. */
export const recordingOf = (
  lines: ReadonlyArray<Line>,
  exchanges: "shared" | "per-request" = "shared",
): ReadonlyArray<TraceEvent> => {
  let at = 1_700_000_000_000
  let send = 0
  const transport = exchanges === "shared" ? "stdio" : "streamable-http"
  const opened = { type: "channel", event: "opened", channel: 1, transport } as const
  const frames = lines.map(([direction, message, after = 1], index): TraceEvent => {
    at += after
    const stamp = { seq: index + 1, at, type: "frame", channel: 1, message } as const
    return direction === "in"
      ? { ...stamp, direction, exchange: exchanges === "shared" ? 0 : send }
      : { ...stamp, direction, send: ++send, exchange: exchanges === "shared" ? 0 : send }
  })
  return [{ ...opened, seq: 0, at: 1_700_000_000_000, target: "server", exchanges }, ...frames]
}

export const request = (id: unknown, method: string, params?: unknown) => ({
  jsonrpc: "2.0",
  id,
  method,
  ...(params === undefined ? {} : { params }),
})

export const answer = (id: unknown, result: unknown) => ({ jsonrpc: "2.0", id, result })

export const notice = (method: string, params?: unknown) => ({
  jsonrpc: "2.0",
  method,
  ...(params === undefined ? {} : { params }),
})
