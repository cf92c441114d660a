import { PassThrough, type Readable } from "node:stream"
import { Trace, type TraceEvent } from "@entente/trace"
import { tapStdio, type StdioTap, type TapStdioOptions } from "@entente/doctor/tap"

/** A trace that is kept, and can be waited for. */
export class Kept {
  readonly trace = new Trace({ maxTextLength: Infinity })
  readonly events: Array<TraceEvent> = []
  #waiting: Array<() => void> = []

  constructor() {
    this.trace.subscribe((event) => {
      this.events.push(event)
      for (const look of this.#waiting.splice(0)) look()
    })
  }

  of<Type extends TraceEvent["type"]>(type: Type): Array<Extract<TraceEvent, { type: Type }>> {
    return this.events.filter(
      (event): event is Extract<TraceEvent, { type: Type }> => event.type === type,
    )
  }

  get text(): string {
    return this.events.map((event) => JSON.stringify(event)).join("\n")
  }

  /** The first event that is so, now or later. */
  async until(wanted: (event: TraceEvent) => boolean): Promise<TraceEvent> {
    for (;;) {
      const found = this.events.find(wanted)
      if (found !== undefined) return found
      await new Promise<void>((look) => this.#waiting.push(look))
    }
  }
}

/** A client whose streams are in this process, its tap, and the server behind it. */
export interface TappedProgram extends Kept {
  readonly tap: StdioTap
  readonly input: PassThrough
  readonly output: PassThrough
  readonly errors: PassThrough
}

/** Taps a program for Node, given as its code. */
export const tapProgram = async (
  code: string,
  args: ReadonlyArray<string> = [],
  options: Partial<TapStdioOptions> = {},
): Promise<TappedProgram> => {
  const kept = new Kept()
  const client = {
    input: new PassThrough(),
    output: new PassThrough(),
    errors: new PassThrough(),
  }
  const tap = await tapStdio({
    command: process.execPath,
    args: ["--input-type=module", "-e", code, "--", ...args],
    trace: kept.trace,
    client,
    ...options,
  })
  return Object.assign(kept, { tap, ...client })
}

/** Everything until the end. */
export const bytesOf = async (stream: Readable): Promise<Buffer> => {
  const chunks: Array<Buffer> = []
  for await (const chunk of stream) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks)
}
