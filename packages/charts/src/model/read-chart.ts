import type { AnyStateMachine, AnyStateNode } from "xstate"
import { actionLabels, eventLabel, guardLabel, invokeLabel } from "../label.js"
import type { ChartModel, ChartState, ChartTransition } from "./chart-model.js"

const idOf = ({ path }: AnyStateNode): string => path.join(".")

const initialOf = (node: AnyStateNode): ReadonlyArray<string> => {
  if (node.type === "parallel") return Object.values(node.states).map(idOf)
  return node.type === "compound" ? node.initial.target.map(idOf) : []
}

const stateOf = (node: AnyStateNode): ChartState => ({
  id: idOf(node),
  key: node.key,
  kind: node.type,
  description: node.description,
  initial: initialOf(node),
  deep: node.history === "deep",
  tags: node.tags,
  entry: actionLabels(node.entry),
  exit: actionLabels(node.exit),
  invokes: node.invoke.map(invokeLabel),
  children: Object.values(node.states).map(stateOf),
})

const transitionsOf = (node: AnyStateNode): ReadonlyArray<Omit<ChartTransition, "id">> =>
  [
    ...(node.always ?? []).map((transition) => ({ eventType: "", transition })),
    ...[...node.transitions].flatMap(([eventType, transitions]) =>
      transitions.map((transition) => ({ eventType, transition })),
    ),
  ].map(({ eventType, transition }) => ({
    source: idOf(node),
    targets: (transition.target ?? []).map(idOf),
    eventType,
    event: eventLabel(node, eventType),
    guard: transition.guard === undefined ? undefined : guardLabel(transition.guard),
    actions: actionLabels(transition.actions),
    description: transition.description,
    reenters: transition.reenter,
  }))

const nodesIn = (node: AnyStateNode): ReadonlyArray<AnyStateNode> => [
  node,
  ...Object.values(node.states).flatMap(nodesIn),
]

/**
 * Reads any XState machine as plain data. The same machine always gives the same model.
 *
 * @example
 * readChart(charts.connection).root.children.map(({ key }) => key) // ["idle", "opening", …]
 */
export const readChart = (machine: AnyStateMachine): ChartModel => {
  const { root, id } = machine
  return {
    id,
    description: root.description,
    root: stateOf(root),
    transitions: nodesIn(root)
      .flatMap(transitionsOf)
      .map((transition, index) => ({ id: `t${index}`, ...transition })),
  }
}
