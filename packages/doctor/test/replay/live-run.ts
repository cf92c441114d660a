import { connect, memoryVerdicts, type ConnectOptions, type PromiseClient } from "@entente/client"
import { Trace, type TraceEvent } from "@entente/trace"
import { record, type Transport } from "@entente/transport"

/**
 * Records a real connection as `entente --trace FILE` does: what its transport tells, with what its client tells but for
 * the messages. What the connection ends in does not matter.
 */
export const liveRun = async (
  transport: Transport,
  use: (client: PromiseClient) => Promise<unknown>,
  options: ConnectOptions = {},
): Promise<ReadonlyArray<TraceEvent>> => {
  const policy = { maxTextLength: Infinity }
  const [trace, observed] = [new Trace(policy), new Trace(policy)]
  const events: Array<TraceEvent> = []
  trace.subscribe((event) => events.push(event))
  observed.subscribe(({ seq: _seq, at: _at, ...event }) => {
    if (event.type !== "frame") trace.emit(event)
  })
  try {
    await using client = await connect(record(transport, trace), {
      verdicts: memoryVerdicts(),
      trace: observed,
      ...options,
    })
    await use(client)
  } catch {
    // The trace has it.
  }
  return events
}
