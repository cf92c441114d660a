import { createActor, fromPromise, SimulatedClock, toPromise } from "xstate"
import {
  negotiationMachine,
  type Answer,
  type Confirmation,
  type ConfirmInput,
  type InitializeInput,
  type NegotiationEvent,
  type NegotiationInput,
  type NegotiationOutcome,
  type Opened,
  type ProbeInput,
} from "../../src/index.js"
import { target } from "./answers.js"

/** What a scripted server does, in order; a function may send an event before it answers. */
export interface Script {
  readonly probe?: ReadonlyArray<Answer>
  readonly initialize?: ReadonlyArray<
    Answer | ((send: (event: NegotiationEvent) => void) => Answer)
  >
  readonly confirm?: ReadonlyArray<Confirmation>
  readonly reopen?: ReadonlyArray<Opened>
  readonly fallBack?: ReadonlyArray<Opened>
}

export interface Negotiated {
  readonly outcome: NegotiationOutcome
  /** What went out, in order, in short. */
  readonly sent: ReadonlyArray<string>
}

const accepted: Confirmation = { _tag: "Accepted" }

/**
 * Runs the negotiation chart against a script. Both directions are exact: a step without an answer, and
 * an answer without its step, are failures.
 */
export const negotiate = async (
  input: Partial<NegotiationInput> & Pick<NegotiationInput, "dialect">,
  script: Script,
): Promise<Negotiated> => {
  const sent: Array<string> = []
  const rest = {
    probe: [...(script.probe ?? [])],
    initialize: [...(script.initialize ?? [])],
    confirm: [...(script.confirm ?? [accepted])],
    reopen: [...(script.reopen ?? [])],
    fallBack: [...(script.fallBack ?? [])],
  }
  const next = <A>(what: string, list: Array<A>): A => {
    sent.push(what)
    const answer = list.shift()
    if (answer === undefined) throw new Error(`The script has no answer to: ${sent.join(", ")}`)
    return answer
  }
  const machine = negotiationMachine.provide({
    actors: {
      probe: fromPromise<Answer, ProbeInput>(async ({ input: { revision } }) =>
        next(`server/discover ${revision}`, rest.probe),
      ),
      initialize: fromPromise<Answer, InitializeInput>(
        async ({ input: { revision, versionHeader } }) => {
          const how = versionHeader ? " with header" : ""
          const answer = next(`initialize ${revision}${how}`, rest.initialize)
          return typeof answer === "function" ? answer((event) => actor.send(event)) : answer
        },
      ),
      confirm: fromPromise<Confirmation, ConfirmInput>(async () =>
        next("notifications/initialized", rest.confirm),
      ),
      reopen: fromPromise<Opened, undefined>(async () => next("reopen", rest.reopen)),
      fallBack: fromPromise<Opened, undefined>(async () => next("GET", rest.fallBack)),
    },
  })
  const clock = new SimulatedClock()
  const actor = createActor(machine, {
    clock,
    input: { target, now: () => Date.UTC(2026, 7, 2), ...input },
  })
  actor.subscribe((snapshot) => {
    // After the chart has scheduled its timer.
    if (snapshot.value === "pausing") queueMicrotask(() => clock.increment(10_000))
  })
  actor.start()
  const outcome = await toPromise(actor)
  const unused = script.confirm ? rest : { ...rest, confirm: [] }
  for (const [step, answers] of Object.entries(unused)) {
    if (answers.length > 0) throw new Error(`The script has an answer left for ${step}`)
  }
  return { outcome, sent }
}
