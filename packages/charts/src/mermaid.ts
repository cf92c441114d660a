import type { AnyStateMachine } from "xstate"
import {
  factsOf,
  labelOf,
  statesIn,
  titleOf,
  type ChartState,
  type ChartTransition,
} from "./model/chart-model.js"
import { readChart } from "./model/read-chart.js"
import { escapeText, mermaidIds, noteLines } from "./mermaid-text.js"

/** How much of a chart is drawn. */
export interface MermaidOptions {
  /** Whether the `description` of each state becomes a note beside it. Default: true. */
  readonly notes?: boolean
  /** The ids of the states that are active, to be coloured; Mermaid can colour only those without states inside. */
  readonly active?: ReadonlySet<string>
}

const holdsStates = ({ kind }: ChartState): boolean => kind === "compound" || kind === "parallel"

/** Whether a transition leads from a state into that state itself. */
const staysInside = (source: string, target: string): boolean =>
  target !== source && (source === "" || target.startsWith(`${source}.`))

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
  const { notes = true, active = new Set() } = options
  const chart = readChart(machine)
  const { root, transitions } = chart
  const ids = mermaidIds(chart)
  const idOf = (state: string): string => ids.get(state) ?? state
  const anyIdOf = (state: string): string => `${idOf(state)}__any`

  const box = (id: string, title: string, facts: ReadonlyArray<string>): ReadonlyArray<string> => [
    `state "${escapeText(title)}" as ${id}`,
    ...facts.map((fact) => `${id} : ${escapeText(fact)}`),
  ]

  const note = ({ id, description }: ChartState): ReadonlyArray<string> =>
    !notes || description === undefined
      ? []
      : [
          `note right of ${idOf(id)}`,
          ...noteLines(description).map((line) => `  ${line}`),
          "end note",
        ]

  /** The box that stands for a composite state where the state itself can't be used. */
  const anyState = (state: ChartState): ReadonlyArray<string> => {
    const facts = factsOf(state, transitions)
    const leadsInside = transitions.some(
      ({ source, targets }) =>
        source === state.id && targets.some((target) => staysInside(source, target)),
    )
    return facts.length > 0 || leadsInside ? box(anyIdOf(state.id), "any state", facts) : []
  }

  const inside = (state: ChartState): ReadonlyArray<string> => {
    const any = anyState(state)
    const drawn = state.children.map(boxOf)
    if (state.kind === "parallel") {
      const regions = any.length === 0 ? drawn : [any, ...drawn]
      return regions.flatMap((region, index) => (index === 0 ? region : ["--", ...region]))
    }
    return [...any, ...state.initial.map((target) => `[*] --> ${idOf(target)}`), ...drawn.flat()]
  }

  const composite = (state: ChartState): ReadonlyArray<string> => [
    `state "${escapeText(titleOf(state))}" as ${idOf(state.id)} {`,
    ...inside(state).map((line) => `  ${line}`),
    "}",
  ]

  function boxOf(state: ChartState): ReadonlyArray<string> {
    const { id, kind } = state
    if (holdsStates(state)) return [...composite(state), ...note(state)]
    return [
      ...box(idOf(id), titleOf(state), factsOf(state, transitions)),
      ...(kind === "final" ? [`${idOf(id)} --> [*]`] : []),
      ...note(state),
    ]
  }

  // Arrows stand outside all boxes: Mermaid takes every state it reads inside one for a part of it.
  const arrows = (one: ChartTransition): ReadonlyArray<string> =>
    one.targets.map((target) => {
      const from = staysInside(one.source, target) ? anyIdOf(one.source) : idOf(one.source)
      return `${from} --> ${idOf(target)} : ${escapeText(labelOf(one))}`
    })

  const lit = statesIn(root).filter((state) => active.has(state.id) && !holdsStates(state))
  const colours =
    lit.length === 0
      ? []
      : [
          "classDef active fill:#ffe8a3,stroke:#7a4100,color:#1f2328",
          `class ${lit.map(({ id }) => idOf(id)).join(",")} active`,
        ]

  // Regions of a parallel state are only legal inside a box, so a parallel root gets one.
  const body = root.kind === "compound" ? inside(root) : boxOf(root)
  return [
    "stateDiagram-v2",
    ...[
      `accTitle: ${escapeText(chart.id)}`,
      ...(chart.description === undefined ? [] : [`accDescr: ${escapeText(chart.description)}`]),
      ...body,
      ...transitions.flatMap(arrows),
      ...colours,
    ].map((line) => `  ${line}`),
    "",
  ].join("\n")
}
