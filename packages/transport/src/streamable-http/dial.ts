import type { buildConnector } from "undici"

/** A connection that is coming about. */
export interface Dialling {
  /** Gives it up; `settle` may or may not hear of that. */
  readonly destroy: (cause: Error) => unknown
}

export type DialOptions = buildConnector.Options

/** Hears once of a connection, or why there is none. */
export type Settle = buildConnector.Callback

/** Makes one connection. */
export type Dial = (options: DialOptions, settle: Settle) => Dialling

/** Which certificates are believed, where not the usual ones are. */
export interface Trust {
  readonly ca?: string
}
