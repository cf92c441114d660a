import type { AnyStateMachine } from "xstate"
import {
  factsOf,
  titleOf,
  type ChartModel,
  type ChartState,
  type ChartTransition,
} from "./model/chart-model.js"
import { readChart } from "./model/read-chart.js"
import { spoken, transitionWords, type TransitionPart } from "./text/transition-words.js"
import { flow, wordsOf, type Piece } from "./text/words.js"

/** What a piece of an outline is, for whoever colours it. */
export type OutlinePart =
  | TransitionPart
  | "state"
  /** A state that is active, and the mark before it. */
  | "active"
  /** What kind of state it is: that it begins here, ends here, has regions. */
  | "kind"
  | "description"
  | "fact"
  | "target"

export interface OutlineOptions {
  /** The ids of the states that are active, to be marked. */
  readonly active?: ReadonlySet<string>
  /** Columns of a line. Default: 80. */
  readonly width?: number
  /** Sets a piece of a line off, for example by a colour. Default: leaves it as it is. */
  readonly paint?: (part: OutlinePart, text: string) => string
}

/** Narrower than this nothing can be read; then lines are longer than the terminal. */
const narrowest = 20

/** What a terminal would obey, or nobody sees. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu

const visible = (text: string): string => text.replace(/\s+/g, " ").replace(unseen, "\u{fffd}")

interface Block {
  readonly depth: number
  /** What stands before the first line; the others are indented by as much. */
  readonly mark: string
  readonly words: ReadonlyArray<Piece<OutlinePart>>
}

const kindsOf = (state: ChartState, parent: ChartState | undefined): ReadonlyArray<string> => [
  ...(parent?.kind === "compound" && parent.initial.includes(state.id) ? ["begins here"] : []),
  ...(parent?.kind === "parallel" ? ["region"] : []),
  ...(state.kind === "parallel" ? ["all regions at once"] : []),
  ...(state.kind === "final" ? ["ends here"] : []),
]

/** `ready › legacy`: the innermost states that are active, each with those around it. */
const whereabouts = (chart: ChartModel, active: ReadonlySet<string>): ReadonlyArray<string> => {
  const paths = (state: ChartState, path: ReadonlyArray<string>): ReadonlyArray<string> => {
    const inner = state.children.filter(({ id }) => active.has(id))
    if (inner.length > 0) return inner.flatMap((child) => paths(child, [...path, child.key]))
    return path.length === 0 ? [] : [path.join(" › ")]
  }
  return paths(chart.root, [])
}

/**
 * Writes any XState machine as an outline for a terminal: every state with what it means, what it does, and
 * where its transitions lead; states that are active have the mark `▸`.
 *
 * @example
 * toOutline(charts.connection, { active: new Set(["ready", "ready.legacy"]) })
 */
export const toOutline = (machine: AnyStateMachine, options: OutlineOptions = {}): string => {
  const { active = new Set(), width = 80, paint = (_, text) => text } = options
  const chart = readChart(machine)
  const most = Math.max(narrowest, width)
  const say = (part: OutlinePart, text: string): ReadonlyArray<Piece<OutlinePart>> =>
    spoken(part, wordsOf(visible(text), most))

  /** `event [guard] → target / action`: the arrow stays with the first target. */
  const transitionBlock = (transition: ChartTransition): ReadonlyArray<Piece<OutlinePart>> => {
    const words = transitionWords(transition, most).map(({ part, text }) => ({
      part,
      text: visible(text),
    }))
    const [target, ...targets] = wordsOf(visible(transition.targets.join(", ")), most - 2)
    return [
      ...words.filter(({ part }) => part !== "action"),
      ...spoken("target", [`→ ${target ?? ""}`, ...targets]),
      ...words.filter(({ part }) => part === "action"),
    ]
  }

  const within = (state: ChartState, depth: number): ReadonlyArray<Block> => [
    ...(state.description === undefined
      ? []
      : [{ depth, mark: "", words: say("description", state.description) }]),
    ...factsOf(state, chart.transitions).map((fact) => ({
      depth,
      mark: "",
      words: say("fact", fact),
    })),
    ...chart.transitions
      .filter(({ source, targets }) => source === state.id && targets.length > 0)
      .flatMap((transition) => [
        {
          depth,
          mark: "",
          words: transitionBlock(transition),
        },
        ...(transition.description === undefined
          ? []
          : [{ depth: depth + 1, mark: "", words: say("description", transition.description) }]),
      ]),
    ...state.children.flatMap((child) => stateBlocks(child, state, depth)),
  ]

  function stateBlocks(state: ChartState, parent: ChartState, depth: number): ReadonlyArray<Block> {
    const isActive = active.has(state.id)
    const kinds = kindsOf(state, parent)
    return [
      {
        depth,
        mark: isActive ? "▸ " : "· ",
        words: [
          ...say(isActive ? "active" : "state", titleOf(state)),
          ...(kinds.length === 0 ? [] : say("kind", `(${kinds.join(", ")})`)),
        ],
      },
      ...within(state, depth + 1),
    ]
  }

  const blocks: ReadonlyArray<Block> = [
    { depth: 0, mark: "", words: say("state", chart.id) },
    ...whereabouts(chart, active).map((path) => ({
      depth: 0,
      mark: "▸ ",
      words: say("active", path),
    })),
    ...within(chart.root, 0),
  ]
  const lines = blocks.flatMap(({ depth, mark, words }) => {
    const indent = "  ".repeat(depth)
    // What does not fit on one line goes on further in, unless it is prose.
    const hang = words[0]?.part === "description" ? "" : "    "
    const columns = Math.max(narrowest, width - indent.length - Math.max(mark.length, hang.length))
    return flow(words, columns).map((line, index) => {
      const text = line.map(({ part, text: said }) => paint(part, said)).join(" ")
      const before = index > 0 ? hang : mark === "▸ " ? paint("active", mark) : mark
      return `${indent}${before}${text}`
    })
  })
  return `${lines.join("\n")}\n`
}
