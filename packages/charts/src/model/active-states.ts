import { statesIn, type ChartModel, type ChartState } from "./chart-model.js"

/** The states in which a state is when it has just been entered, itself included. */
const entered = (
  state: ChartState,
  byId: ReadonlyMap<string, ChartState>,
): ReadonlyArray<string> => [
  state.id,
  ...state.initial.flatMap((id) => {
    const inner = byId.get(id)
    return inner === undefined ? [] : entered(inner, byId)
  }),
]

/**
 * The ids of all states that are active while the named ones are: those around them, and where one has states
 * inside and none of them is named, those in which it begins. Undefined if there is a name without a state.
 *
 * @example
 * activeStates(readChart(charts.connection), ["ready.legacy"]) // Set { "ready", "ready.legacy" }
 */
export const activeStates = (
  { root }: ChartModel,
  names: ReadonlyArray<string>,
): ReadonlySet<string> | undefined => {
  const all = statesIn(root)
  const byId = new Map(all.map((state) => [state.id, state]))
  const active = new Set<string>()
  for (const name of names) {
    const named = byId.get(name)
    if (named === undefined || named === root) return undefined
    const around = all.filter(({ id }) => id !== "" && name.startsWith(`${id}.`))
    for (const { id } of around) active.add(id)
    active.add(name)
  }
  for (const name of names) {
    if ([...active].some((id) => id.startsWith(`${name}.`))) continue
    const state = byId.get(name)
    for (const id of state === undefined ? [] : entered(state, byId)) active.add(id)
  }
  return active
}
