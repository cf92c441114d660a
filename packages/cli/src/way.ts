import type { Transport } from "@entente/transport"

/** A way to a server, and what is known of it beforehand. */
export interface Way {
  /** Every call gives a transport of its own. */
  readonly transport: () => Transport
  /** The same without what says who one is, where something does. */
  readonly withoutCredentials?: () => Transport
  /** Names of all headers that are the user's. */
  readonly headerNames: ReadonlyArray<string>
  /** How long each answer may take, where a configuration file says so. */
  readonly timeoutMs?: number
}
