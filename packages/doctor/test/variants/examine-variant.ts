import { diagnose, examine, type Examination, type Patient } from "@entente/doctor"
import { memoryPeer } from "@entente/testkit"
import {
  startHttpPeer,
  startHttpSsePeer,
  startStdioPeer,
  startWebSocketPeer,
} from "@entente/testkit/node"
import * as Effect from "effect/Effect"
import { CurrentTrace, Trace, type TraceEvent } from "@entente/trace"
import { http, httpSse, record, webSocket, type Transport } from "@entente/transport"
import { stdio } from "@entente/transport/stdio"
import { ClumsyClient } from "./clumsy-client.js"
import type { Started, Variant } from "./variant.js"

const start = async (variant: Variant): Promise<Started> => {
  const { over, script, credentials, path } = variant
  if (variant.start !== undefined) return variant.start()
  if (over === "memory") {
    const { transport } = memoryPeer(script())
    return { patient: { transport: () => transport }, close: async () => {} }
  }
  if (over === "stdio") {
    const { command, args, close } = await startStdioPeer(script())
    return { patient: { transport: () => stdio({ command, args }) }, close }
  }
  if (over === "ws") {
    const { url, close } = await startWebSocketPeer(script())
    return { patient: { transport: () => webSocket(url) }, close }
  }
  if (over === "sse") {
    const { url, close } = await startHttpSsePeer(script())
    return { patient: { transport: () => httpSse(url, { timeouts: { endpoint: 300 } }) }, close }
  }
  const { url: endpoint, close } = await startHttpPeer(script())
  const url = path === undefined ? endpoint : new URL(path, endpoint).href
  const patient =
    credentials === undefined
      ? { transport: () => http(url) }
      : {
          transport: () => http(url, { headers: credentials }),
          withoutCredentials: () => http(url),
        }
  return { patient, close }
}

const overheard = async (
  { transport }: Patient,
  { client, context }: Variant & { readonly client: NonNullable<Variant["client"]> },
): Promise<Examination> => {
  const events: Array<TraceEvent> = []
  const trace = new Trace()
  trace.subscribe((event) => events.push(event))
  {
    // The transport itself tells of its HTTP exchanges, `record` of the rest.
    await using clumsy = await ClumsyClient.open(observed(record(transport(), trace), trace))
    await client(clumsy)
  }
  return { trace: events, diagnosis: diagnose(events, context) }
}

const observed = (transport: Transport, trace: Trace): Transport => ({
  ...transport,
  open: Effect.provideService(transport.open, CurrentTrace, trace),
})

/** Starts the server of a variant, and lets the doctor examine it. */
export const examineVariant = async (variant: Variant): Promise<Examination> => {
  const { patient, close } = await start(variant)
  const { client } = variant
  try {
    if (client !== undefined) return await overheard(patient, { ...variant, client })
    return await examine(patient, variant.options, variant.context)
  } finally {
    await close()
  }
}
