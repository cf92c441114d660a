import { connect, type EntenteError } from "@entente/client"
import type { Transport } from "@entente/transport"

/** Connects, or prints what was tried, in order, and what to do about it. */
export const explainFailure = async (target: string | Transport): Promise<void> => {
  try {
    await using client = await connect(target, { reconnect: "never" })
    console.log(`connected in the ${client.era} era`)
  } catch (failure) {
    const error = failure as EntenteError // `connect` rejects with nothing else
    console.log(`${error.code}: ${error.message}`)
    for (const { what, outcome } of error.attempts ?? []) console.log(`  ${what}: ${outcome}`)
    console.log(`hint: ${error.hint}`)
  }
}
