import type { AnyStateMachine, AnyStateNode } from "xstate"
import { actionLabels, invokeLabel, transitionLabel } from "./label.js"
import { escapeText, noteLines, stateIds } from "./mermaid-text.js"

/** How much of a chart is drawn. */
export interface MermaidOptions {
  /** Whether the `description` of each state becomes a note beside it. Default: true. */
  readonly notes?: boolean
}

/** One arrow, before it is decided from which box it starts. */
interface Arrow {
  readonly source: AnyStateNode
  readonly target: AnyStateNode
  readonly label: string
}

const children = (node: AnyStateNode): ReadonlyArray<AnyStateNode> => Object.values(node.states)

const holdsStates = (node: AnyStateNode): boolean =>
  node.type === "compound" || node.type === "parallel"

const isInside = (node: AnyStateNode, ancestor: AnyStateNode): boolean =>
  node.parent !== undefined && (node.parent === ancestor || isInside(node.parent, ancestor))

const transitionsOf = (node: AnyStateNode) => [
  ...(node.always ?? []).map((transition) => ({ event: "", transition })),
  ...[...node.transitions].flatMap(([event, transitions]) =>
    transitions.map((transition) => ({ event, transition })),
  ),
]

const arrowsOf = (source: AnyStateNode): ReadonlyArray<Arrow> =>
  transitionsOf(source).flatMap(({ event, transition }) =>
    (transition.target ?? []).map((target) => ({
      source,
      target,
      label: transitionLabel(source, event, transition),
    })),
  )

/** What a state does without leaving it, one line each; the lines stand inside its box. */
const factsOf = (node: AnyStateNode): ReadonlyArray<string> => {
  const named = (title: string, names: ReadonlyArray<string>): ReadonlyArray<string> =>
    names.length === 0 ? [] : [`${title} / ${names.join(", ")}`]
  return [
    ...named("tags", node.tags),
    ...named("entry", actionLabels(node.entry)),
    ...named("invoke", node.invoke.map(invokeLabel)),
    ...transitionsOf(node)
      .filter(({ transition }) => transition.target === undefined)
      .map(({ event, transition }) => {
        const label = transitionLabel(node, event, transition)
        return transition.actions.length === 0 ? `ignore ${label}` : label
      }),
    ...named("exit", actionLabels(node.exit)),
  ]
}

const titleOf = (node: AnyStateNode): string => {
  if (node.type !== "history") return node.key
  return node.history === "deep" ? `${node.key} (H*)` : `${node.key} (H)`
}

/**
 * Draws any XState machine as Mermaid text (`stateDiagram-v2`). The same machine always gives the same
 * text, so it can be committed and compared.
 *
 * Mermaid can't draw an arrow from a composite state to a state inside it, nor lines of text in a
 * composite state. Where a chart needs either, a box named "any state" stands in it for "whichever
 * state this is in". Transitions without a target are lines inside the box of their state.
 *
 * @example
 * toMermaid(childProcessMachine).split("\n")[0] // "stateDiagram-v2"
 */
export const toMermaid = (machine: AnyStateMachine, options: MermaidOptions = {}): string => {
  const { notes = true } = options
  const { root } = machine
  const ids = stateIds(machine)
  const idOf = (node: AnyStateNode): string => ids.get(node) ?? node.id
  const anyIdOf = (node: AnyStateNode): string => `${idOf(node)}__any`

  const everyNode = [...ids.keys()]
  const arrows = everyNode.flatMap(arrowsOf)
  const staysInside = ({ source, target }: Arrow): boolean => isInside(target, source)

  const box = (id: string, title: string, facts: ReadonlyArray<string>): ReadonlyArray<string> => [
    `state "${escapeText(title)}" as ${id}`,
    ...facts.map((fact) => `${id} : ${escapeText(fact)}`),
  ]

  const note = (node: AnyStateNode): ReadonlyArray<string> =>
    !notes || node.description === undefined
      ? []
      : [
          `note right of ${idOf(node)}`,
          ...noteLines(node.description).map((line) => `  ${line}`),
          "end note",
        ]

  /** The box that stands for a composite state where the state itself can't be used. */
  const anyState = (node: AnyStateNode): ReadonlyArray<string> => {
    const facts = factsOf(node)
    const needed = facts.length > 0 || arrows.some((one) => one.source === node && staysInside(one))
    return needed ? box(anyIdOf(node), "any state", facts) : []
  }

  const inside = (node: AnyStateNode): ReadonlyArray<string> => {
    const any = anyState(node)
    const drawn = children(node).map(state)
    if (node.type === "parallel") {
      const regions = any.length === 0 ? drawn : [any, ...drawn]
      return regions.flatMap((region, index) => (index === 0 ? region : ["--", ...region]))
    }
    return [
      ...any,
      ...node.initial.target.map((target) => `[*] --> ${idOf(target)}`),
      ...drawn.flat(),
    ]
  }

  const composite = (node: AnyStateNode): ReadonlyArray<string> => [
    `state "${escapeText(titleOf(node))}" as ${idOf(node)} {`,
    ...inside(node).map((line) => `  ${line}`),
    "}",
  ]

  function state(node: AnyStateNode): ReadonlyArray<string> {
    if (holdsStates(node)) return [...composite(node), ...note(node)]
    return [
      ...box(idOf(node), titleOf(node), factsOf(node)),
      ...(node.type === "final" ? [`${idOf(node)} --> [*]`] : []),
      ...note(node),
    ]
  }

  // Arrows stand outside all boxes: Mermaid takes every state it reads inside one for a part of it.
  const arrow = (one: Arrow): string => {
    const from = staysInside(one) ? anyIdOf(one.source) : idOf(one.source)
    return `${from} --> ${idOf(one.target)} : ${escapeText(one.label)}`
  }

  // Regions of a parallel state are only legal inside a box, so a parallel root gets one.
  const body = root.type === "compound" ? inside(root) : state(root)
  return [
    "stateDiagram-v2",
    ...[
      `accTitle: ${escapeText(machine.id)}`,
      ...(root.description === undefined ? [] : [`accDescr: ${escapeText(root.description)}`]),
      ...body,
      ...arrows.map(arrow),
    ].map((line) => `  ${line}`),
    "",
  ].join("\n")
}
