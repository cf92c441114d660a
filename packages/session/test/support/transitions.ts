import type { AnyStateMachine, AnyStateNode, InspectionEvent } from "xstate"

type Transition = AnyStateNode["always"] extends ReadonlyArray<infer T> | undefined ? T : never

const nameOf = (transition: Transition, index: number): string => {
  const event = transition.eventType === "" ? "always" : String(transition.eventType)
  const target = transition.target?.map((node) => node.id).join(", ") ?? "(stays)"
  return `${transition.source.id} --${event} #${index}--> ${target}`
}

const collect = (node: AnyStateNode, into: Map<Transition, string>): Map<Transition, string> => {
  const lists = [...node.transitions.values(), node.always ?? []]
  for (const list of lists) {
    list.forEach((transition, index) => into.set(transition, nameOf(transition, index)))
  }
  for (const child of Object.values(node.states)) collect(child, into)
  return into
}

const known = new WeakMap<AnyStateMachine, Map<Transition, string>>()

const namesIn = (machine: AnyStateMachine): Map<Transition, string> => {
  const names = known.get(machine) ?? collect(machine.root, new Map())
  known.set(machine, names)
  return names
}

/** Every transition of a chart by name: events, `always`, `after`, and the ends of what it invokes. */
export const transitionsOf = (machine: AnyStateMachine): ReadonlyArray<string> => [
  ...namesIn(machine).values(),
]

/** Collects the transitions that running actors take; give `inspect` to `createActor`. */
export class Taken {
  readonly names = new Set<string>()

  readonly inspect = (event: InspectionEvent): void => {
    if (event.type !== "@xstate.microstep") return
    for (const transition of event._transitions) {
      const name = namesIn(transition.source.machine).get(transition)
      if (name !== undefined) this.names.add(name)
    }
  }

  /** The transitions of a chart that no actor has taken so far. */
  missing(machine: AnyStateMachine): ReadonlyArray<string> {
    return transitionsOf(machine).filter((name) => !this.names.has(name))
  }
}
