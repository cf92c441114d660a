import * as Effect from "effect/Effect"
import { ProtocolViolation, explain, type TransportError } from "@entente/protocol"
import {
  fromEffect,
  negotiationMachine,
  type Answer,
  type Confirmation,
  type ConfirmInput,
  type Fork,
  type InitializeInput,
  type Opened,
  type ProbeInput,
} from "@entente/session"
import type { Channel, SendOutcome } from "@entente/transport"
import { answerOf, refused } from "./answer-of.js"
import { ask } from "./ask.js"
import { moreTime } from "./patience.js"
import { putRight } from "./put-right.js"
import type { Identities } from "../life/identities.js"
import type { LegacyQuestions } from "../question/legacy-questions.js"
import type { OpenChannel } from "../life/open-channel.js"
import type { Deadlines } from "../options.js"
import type { NoteBook } from "../wire/note-book.js"
import type { Reply } from "../wire/reply.js"
import type { ResumableSession } from "../session/resumable-session.js"
import type { RequestOptions, Wire } from "../wire/wire.js"

export interface HandshakeContext {
  readonly target: string
  readonly wire: Wire
  readonly notes: NoteBook
  readonly channel: OpenChannel
  readonly identities: Identities
  readonly deadlines: Deadlines
  readonly resumable: ResumableSession
  /** Questions of the server, which wait until it knows what was agreed on. */
  readonly asked: LegacyQuestions
  readonly fork: Fork
}

/** The I/O of the negotiation chart, each step over the wire as it is at that moment. */
export class Handshake {
  /** Ids of probes whose answer may still come after their deadline. */
  readonly #probes = new Set<number>()
  readonly #context: HandshakeContext

  constructor(context: HandshakeContext) {
    this.#context = context
  }

  /** The negotiation chart with its I/O in place. */
  get machine(): typeof negotiationMachine {
    const { fork } = this.#context
    return negotiationMachine.provide({
      actors: {
        probe: fromEffect((input: ProbeInput) => this.#probe(input), fork),
        initialize: fromEffect((input: InitializeInput) => this.#initialize(input), fork),
        confirm: fromEffect((input: ConfirmInput) => this.#confirm(input), fork),
        reopen: fromEffect(() => this.open, fork),
        fallBack: fromEffect(() => this.#attach(this.#context.channel.openFallback), fork),
      },
    })
  }

  /** Whether a late result answers a probe. */
  isProbe(id: number): boolean {
    return this.#probes.has(id)
  }

  /** Opens a channel and puts it under the wire. */
  get open(): Effect.Effect<Opened> {
    return this.#attach(this.#context.channel.open)
  }

  #attach(opening: Effect.Effect<Channel, TransportError>): Effect.Effect<Opened> {
    return Effect.match(opening, {
      onSuccess: (opened): Opened => {
        const ended = this.#context.wire.attach(opened)
        return ended === undefined ? { ok: true } : { ok: false, error: ended }
      },
      onFailure: (error): Opened => ({ ok: false, error }),
    })
  }

  /** `server/discover` in the clothes of the modern era (V26-ERA-01, V26-ERA-10). */
  #probe({ revision }: ProbeInput): Effect.Effect<Answer> {
    const { wire, notes, deadlines, identities } = this.#context
    const options: RequestOptions = {
      ...this.#deadline(deadlines.probe),
      cancellable: false,
      dress: identities.modern(revision),
    }
    const asked = ask(wire, "server/discover", {}, options, (id) => this.#probes.add(id))
    return Effect.map(asked, (reply) => putRight("server/discover", this.#answer(reply), notes))
  }

  /** A deadline that waits for a package runner at work. */
  #deadline(timeoutMs: number): Pick<RequestOptions, "timeoutMs" | "extend"> {
    const { channel, deadlines } = this.#context
    return {
      timeoutMs,
      extend: () => moreTime(channel.channel?.startup?.(), timeoutMs, deadlines.install),
    }
  }

  /** `initialize`, which is never cancelled (V25-LIFE-13) and never carries a session id. */
  #initialize({ revision, versionHeader }: InitializeInput): Effect.Effect<Answer> {
    const { wire, notes, channel, deadlines, identities, resumable } = this.#context
    return Effect.gen({ self: this }, function* () {
      // From here on the server may ask for things, ping above all, and gets answers (C110).
      wire.decideEra("legacy")
      // Sessions with an id belong to Streamable HTTP alone (V25-SSE-04).
      const hasSessions = channel.spoken.kind === "streamable-http"
      const resumed = hasSessions ? yield* resumable.resume(revision) : undefined
      if (resumed !== undefined) return resumed
      const options: RequestOptions = {
        ...this.#deadline(deadlines.initialize),
        cancellable: false,
        dress: identities.opening(versionHeader),
      }
      const params = identities.initializeParams(revision)
      const reply = yield* ask(wire, "initialize", params, options)
      return putRight("initialize", this.#answer(reply), notes)
    })
  }

  /**
   * `notifications/initialized`; nothing else is sent before it was accepted (V25-LIFE-10, C056). A pipe
   * that is blocked, or a server that leaves the POST open, must not hold the connection for ever.
   */
  #confirm({ revision, sessionId }: ConfirmInput): Effect.Effect<Confirmation> {
    const { wire, deadlines, identities, resumable, asked } = this.#context
    const confirmed = Effect.callback<Confirmation>((resume) => {
      wire.dress = identities.legacy(revision, sessionId)
      // A session that was resumed was confirmed in its former life.
      if (resumable.holds(sessionId)) {
        asked.begin(revision)
        return resume(Effect.succeed({ _tag: "Accepted" }))
      }
      wire.notify("notifications/initialized", undefined, (outcome) =>
        resume(Effect.succeed(this.#confirmation(outcome))),
      )
      // Not only once it was accepted: a server may want an answer before it accepts anything.
      asked.begin(revision)
    })
    const afterMs = deadlines.initialize
    return Effect.timeoutOrElse(confirmed, {
      duration: afterMs,
      orElse: () => Effect.succeed({ _tag: "Silence", afterMs } as const),
    })
  }

  #confirmation(outcome: SendOutcome): Confirmation {
    const { target } = this.#context
    switch (outcome._tag) {
      case "Written":
      case "Ended":
        return { _tag: "Accepted" }
      case "Rejected":
        return refused(outcome.rejection, target)
      case "Failed":
        return { _tag: "Gone", error: outcome.error }
      case "Aborted": {
        const what = "The connection was closed during the handshake."
        const fields = explain("invalid-message", "negotiate", target, what)
        return { _tag: "Invalid", error: new ProtocolViolation(fields) }
      }
    }
  }

  #answer(reply: Reply): Answer {
    const { target, channel } = this.#context
    const answer = answerOf(reply, target)
    const process = channel.channel?.process?.()
    return answer._tag === "Silence" && process !== undefined ? { ...answer, process } : answer
  }
}
