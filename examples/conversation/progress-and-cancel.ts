import { connect, type EntenteError } from "@entente/client"
import type { Transport } from "@entente/transport"

/** Watches bread being baked, and calls it off when there is enough. The server is told, whatever its era. */
export const bakeUntil = async (target: string | Transport, loaves: number): Promise<void> => {
  await using client = await connect(target)
  const enough = new AbortController()
  try {
    await client.callTool(
      { name: "bake" },
      {
        signal: enough.signal,
        timeoutMs: 10_000, // without a sign of progress
        maxTotalTimeoutMs: 600_000, // however much progress there is
        onProgress: ({ progress, message }) => {
          console.log(message)
          if (progress === loaves) enough.abort()
        },
      },
    )
  } catch (failure) {
    // An abort, a time-out, a lost connection and an error of the server are four different classes.
    const error = failure as EntenteError // a call rejects with nothing else
    console.log(`it ended as ${error._tag}`)
  }
}
