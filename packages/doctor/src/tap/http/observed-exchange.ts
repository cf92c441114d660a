import type { Unreachable } from "@entente/protocol"
import type { BodyReader } from "@entente/transport/tapping"

/** What an exchange means for the trace, by what was asked. Exactly one of its ends is told, by `over`. */
export interface ObservedExchange {
  /** The head of the answer; what is returned reads its body, decompressed. */
  readonly answered: (status: number, headers: Readonly<Record<string, string>>) => BodyReader
  /** There is no answer. */
  readonly failed: (error: Unreachable) => void
  /** The client has let go of it. */
  readonly aborted: () => void
  /** The body is compressed in a way that cannot be undone here: a sentence. */
  readonly unreadable: (what: string) => void
}

/** For what carries no messages: its heads are told, and that is all. */
export const plainExchange: ObservedExchange = {
  answered: () => ignored,
  failed: () => {},
  aborted: () => {},
  unreadable: () => {},
}

/** Reads a body that means nothing. */
export const ignored: BodyReader = { chunk: () => {}, end: () => {} }

/** Whether a status is none of those that bring an answer. */
export const isRefusal = (status: number): boolean => status < 200 || status > 299
