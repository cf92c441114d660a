/** What a state is. A history state is no place to be in: it leads to where its parent was last. */
export type StateKind = "atomic" | "compound" | "parallel" | "final" | "history"

/** One state of a chart. */
export interface ChartState {
  /** Unique in its chart: the path of keys, joined by dots; empty for the chart itself. */
  readonly id: string
  readonly key: string
  readonly kind: StateKind
  readonly description: string | undefined
  /** The ids of the states in which it begins; several only where it has regions. */
  readonly initial: ReadonlyArray<string>
  /** With `history`: whether it remembers all the way down. */
  readonly deep: boolean
  readonly tags: ReadonlyArray<string>
  /** Names of the actions that the author wrote. */
  readonly entry: ReadonlyArray<string>
  readonly exit: ReadonlyArray<string>
  /** Names of the actors that run while it is active. */
  readonly invokes: ReadonlyArray<string>
  readonly children: ReadonlyArray<ChartState>
}

/** One transition of a chart. */
export interface ChartTransition {
  /** Unique in its chart, and the same for the same chart. */
  readonly id: string
  /** The id of the state it belongs to. */
  readonly source: string
  /** Where it leads; none where it only acts, or forbids an event. */
  readonly targets: ReadonlyArray<string>
  /** The event as the machine has it; empty where none is needed. */
  readonly eventType: string
  /** The event as people say it: `connect`, `handshake done`, `after 100 ms`, `always`. */
  readonly event: string
  /** In words. */
  readonly guard: string | undefined
  readonly actions: ReadonlyArray<string>
  readonly description: string | undefined
  /** Whether it leaves and enters its source again. */
  readonly reenters: boolean
}

/** A state chart as plain data, whatever it was written with: pictures, texts and viewers start from here. */
export interface ChartModel {
  readonly id: string
  readonly description: string | undefined
  readonly root: ChartState
  /** In document order. */
  readonly transitions: ReadonlyArray<ChartTransition>
}

/** A state and all states inside it, in document order. */
export const statesIn = (state: ChartState): ReadonlyArray<ChartState> => [
  state,
  ...state.children.flatMap(statesIn),
]

/** Event, guard and actions of a transition, as UML writes them: `event [guard] / action, action`. */
export const labelOf = ({ event, guard, actions }: ChartTransition): string =>
  [
    event,
    ...(guard === undefined ? [] : [`[${guard}]`]),
    ...(actions.length === 0 ? [] : [`/ ${actions.join(", ")}`]),
  ].join(" ")

/** What a state does without leaving it, one line each. */
export const factsOf = (
  { id, tags, entry, exit, invokes }: ChartState,
  transitions: ReadonlyArray<ChartTransition>,
): ReadonlyArray<string> => {
  const named = (title: string, names: ReadonlyArray<string>): ReadonlyArray<string> =>
    names.length === 0 ? [] : [`${title} / ${names.join(", ")}`]
  return [
    ...named("tags", tags),
    ...named("entry", entry),
    ...named("invoke", invokes),
    ...transitions
      .filter(({ source, targets }) => source === id && targets.length === 0)
      .map((one) => (one.actions.length === 0 ? `ignore ${labelOf(one)}` : labelOf(one))),
    ...named("exit", exit),
  ]
}

/** The name that a state is shown by. */
export const titleOf = ({ key, kind, deep }: ChartState): string =>
  kind === "history" ? `${key} (${deep ? "H*" : "H"})` : key
