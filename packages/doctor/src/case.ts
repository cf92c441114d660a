import type { Era } from "@entente/protocol"
import { recognise, type TraceEvent } from "@entente/trace"
import type { DiagnosisContext } from "./context.js"
import type { Conversation } from "./conversation/conversation.js"
import { readOpening, versionOf, type Opening } from "./conversation/opening.js"
import { readConversation, type Numbered } from "./conversation/read-conversation.js"
import { readToolWalks, type ToolWalk } from "./conversation/tool-walk.js"

/** One conversation, with what can be derived of it. */
export interface Act {
  readonly conversation: Conversation
  readonly opening: Opening
  /** The era that was agreed on, or else the one in which the server answered. */
  readonly era: Era | undefined
  readonly revision: string | undefined
  readonly walks: ReadonlyArray<ToolWalk>
  /** The last list whose first page was answered, or else the last that was asked for. */
  readonly walk: ToolWalk | undefined
}

/** The names of what an examination tries out, each once; what they mean stands beside their code. */
export type ExperimentName =
  /** `tools/list` sent to a server that declares no tools, or whose handshake is broken. */
  | "tools-anyway"
  /** The whole exchange once more, in the other era. */
  | "other-era"
  /** The list once more, after a while, on a connection of its own that stays open. */
  | "again"
  /** The list once more without the credentials that were given. */
  | "anonymous"
  /** The session of one connection, used on others. */
  | "second-connection"
  /** The handshake as a browser on another origin would make it. */
  | "browser"
  /** `initialize` with a revision that nobody knows. */
  | "unknown-version"
  /** `tools/list` once more in different forms, after it was refused. */
  | "other-params"
  /** `tools/list` once more with more time for its answer, after none came. */
  | "patiently"

/** Everything that a diagnosis is made of. */
export interface Case {
  readonly trace: ReadonlyArray<TraceEvent>
  /** What the client did by itself. */
  readonly main: Act
  /** What was done to find something out, in order. */
  readonly experiments: ReadonlyArray<{ readonly name: string; readonly act: Act }>
  readonly context: DiagnosisContext
}

const actOf = (events: ReadonlyArray<Numbered>): Act => {
  const conversation = readConversation(events)
  const opening = readOpening(conversation)
  // A modern request needs no agreement: an answer to it shows the era as well (V26-META-01).
  const spoken = conversation.calls.findLast(
    (call) => versionOf(call) !== undefined && call.reply?.kind === "result",
  )
  const era = opening.agreed?.era ?? (spoken === undefined ? undefined : "modern")
  const revision = opening.agreed?.revision ?? (spoken && versionOf(spoken))
  const walks = readToolWalks(conversation, era === "modern")
  const walk = walks.findLast(({ pages }) => pages[0]?.reading !== undefined) ?? walks.at(-1)
  return { conversation, opening, era, revision, walks, walk }
}

/** What stands for something that is no event: traces come from files, and files from anywhere. */
const notAnEvent: TraceEvent = { type: "note", seq: 0, at: 0, code: "no-event", detail: "" }

/** Divides a trace into what the client did and the experiments after it. */
export const readCase = (given: ReadonlyArray<TraceEvent>, context: DiagnosisContext): Case => {
  const trace = given.map((event) => (recognise(event).kind === "event" ? event : notAnEvent))
  const parts: Array<{ readonly name: string; readonly events: Array<Numbered> }> = [
    { name: "", events: [] },
  ]
  trace.forEach((event, index) => {
    if (event === notAnEvent) return
    if (event.type === "experiment") parts.push({ name: event.name, events: [] })
    else parts.at(-1)?.events.push({ index, event })
  })
  const [main, ...experiments] = parts
  return {
    trace,
    main: actOf(main?.events ?? []),
    experiments: experiments.map(({ name, events }) => ({ name, act: actOf(events) })),
    context,
  }
}

/** What an experiment showed; undefined where it was not made. */
export const experiment = ({ experiments }: Case, name: ExperimentName): Act | undefined =>
  experiments.findLast((one) => one.name === name)?.act
