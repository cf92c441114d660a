import { connect } from "@entente/client"
import type { Transport } from "@entente/transport"

/** Prints every state of a connection while it is used; the last good list stays readable throughout. */
export const watchConnection = async (
  target: string | Transport,
  use: () => Promise<void>,
): Promise<void> => {
  await using client = await connect(target, { reconnect: { baseMs: 10 } })
  await client.tools.list()
  const stop = client.onState((state) => {
    const stale = client.tools.last?.stale === true ? ", its list is stale" : ""
    console.log(`now ${state}${stale}`)
  })
  await use()
  stop()
}
