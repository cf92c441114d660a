import { Trace, type RedactionPolicy, type TraceReader } from "@entente/trace"
import { ChannelLog, type Place } from "./channel-log.js"
import { Handles } from "./handles.js"

export interface RecordOptions {
  /**
   * What else is secret. Texts are kept in their full length unless it says otherwise, because a replay
   * has only what was recorded. Where the sink is a `Trace`, its own policy applies as well.
   */
  readonly redaction?: RedactionPolicy
}

/** The channels of one recording: they are numbered, and share the stand-ins of their handles. */
export class RecordingLog {
  readonly trace: Trace
  readonly handles: Handles
  #channels = 0
  #now: () => number = Date.now

  constructor(sink: Trace | TraceReader, { redaction = {} }: RecordOptions = {}) {
    const policy = { maxTextLength: Infinity, ...redaction }
    this.handles = new Handles(policy)
    if (sink instanceof Trace) this.trace = sink
    else {
      this.trace = new Trace(policy, () => this.#now())
      this.trace.subscribe(sink)
    }
  }

  /** The next channel; nothing is told of it yet. */
  open({ transport, target }: Omit<Place, "channel">, now: () => number = Date.now): ChannelLog {
    this.#now = now
    return new ChannelLog(this, { channel: ++this.#channels, transport, target })
  }
}
