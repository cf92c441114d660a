import { connect, memoryVerdicts, type ConnectOptions, type PromiseClient } from "@entente/client"
import type { Transport } from "@entente/transport"

/** Connects with a memory of its own, so that no test knows what another one has learnt. */
export const connected = (
  target: Transport | string,
  options: ConnectOptions = {},
): Promise<PromiseClient> => connect(target, { verdicts: memoryVerdicts(), ...options })

/** The codes of the notes a client made, in order. */
export const noted = (client: PromiseClient): ReadonlyArray<string> =>
  client.notes.map(({ code }) => code)

/** The names of items that have one. */
export const names = (items: ReadonlyArray<{ readonly name: string }>): ReadonlyArray<string> =>
  items.map(({ name }) => name)

/** Why a promise was rejected; undefined where it was not. Watched from now on, so that nothing is unhandled. */
export const reasonOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (reason: unknown) => reason,
  )
