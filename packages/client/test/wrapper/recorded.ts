import { connect, memoryVerdicts, type ConnectOptions, type PromiseClient } from "@entente/client"
import { encodeEvent, traceHeader, type TraceEvent } from "@entente/trace"
import { record, type Transport } from "@entente/transport"

/** What a client got out of a connection, but for how long it took. */
export interface Session {
  readonly era: string
  readonly protocolVersion: string
  readonly capabilities: unknown
  readonly server: unknown
  readonly lists: unknown
  readonly notes: ReadonlyArray<string>
  readonly results: ReadonlyArray<unknown>
}

const settled = async (calling: Promise<unknown>): Promise<unknown> => {
  try {
    return { ok: await calling }
  } catch (error) {
    const { _tag, code } = error as { readonly _tag: string; readonly code: string } // an EntenteError
    return { _tag, code }
  }
}

/** Reads everything and calls a few things: the same operations, whatever is at the other end. */
export const useEverything = async (client: PromiseClient): Promise<Session> => {
  const { lists, era, protocolVersion, capabilities, server } = await client.snapshot()
  const results = [
    await settled(client.callTool({ name: "a", arguments: { text: "one" } })),
    ...(await Promise.all(
      ["two", "three", "four"].map((text) =>
        settled(client.callTool({ name: "b", arguments: { text } })),
      ),
    )),
    await settled(client.callTool({ name: "none" })),
    await settled(client.getPrompt({ name: "none" })),
    await settled(client.request("x/unknown", { n: 1 })),
  ]
  const notes = client.notes.map(({ code, count }) => `${code} ${count}`)
  return { era, protocolVersion, capabilities, server, lists, notes, results }
}

/** Connects with a memory of its own, does something, and closes. */
export const within = async <A>(
  transport: Transport,
  use: (client: PromiseClient) => Promise<A>,
  options: ConnectOptions = {},
): Promise<A> => {
  await using client = await connect(transport, { verdicts: memoryVerdicts(), ...options })
  return await use(client)
}

/** A sink, and what it has heard as the text of a trace file. */
export const tape = () => {
  const events: Array<TraceEvent> = []
  return {
    events,
    read: (event: TraceEvent): void => void events.push(event),
    text: (): string => [traceHeader, ...events.map(encodeEvent), ""].join("\n"),
  }
}

/** Records a session, and gives what came of it with the recording. */
export const recorded = async <A>(
  transport: Transport,
  use: (client: PromiseClient) => Promise<A>,
  options: ConnectOptions = {},
): Promise<{ readonly outcome: A; readonly text: string; readonly events: Array<TraceEvent> }> => {
  const sink = tape()
  const outcome = await within(record(transport, sink.read), use, options)
  return { outcome, text: sink.text(), events: sink.events }
}
