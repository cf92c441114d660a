import type { AnyStateMachine, AnyStateNode, AnyTransitionDefinition } from "xstate"
import { actionLabel, authored, guardLabel } from "./label.js"

/** JSON, as it is written. */
type Json =
  | string
  | number
  | boolean
  | null
  | ReadonlyArray<Json>
  | { readonly [key: string]: Json }

/** The config of a machine as XState 5 takes it, with names where the machine has functions. */
export type StatelyConfig = { readonly [key: string]: Json }

type Entries = ReadonlyArray<readonly [string, Json | undefined]>

/** Only what is there: XState takes a member that is `undefined` for one that is wrong. */
const object = (entries: Entries): StatelyConfig =>
  Object.fromEntries(entries.flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])))

const unlessEmpty = (values: ReadonlyArray<Json>): Json | undefined =>
  values.length === 0 ? undefined : values

/** One stands alone, several as a list; that is how a person would write it. */
const oneOrMore = (values: ReadonlyArray<Json>): Json | undefined =>
  values.length === 1 ? values[0] : unlessEmpty(values)

/** What of parameters is plain data; a function that computes them has no place in JSON. */
const plain = (params: unknown): Json | undefined => {
  if (typeof params !== "object" || params === null) return undefined
  try {
    return JSON.parse(JSON.stringify(params)) as Json // what JSON.parse gives is JSON
  } catch {
    return undefined // a circle, or a bigint
  }
}

const named = (type: string, params: unknown): Json =>
  object([
    ["type", type],
    ["params", plain(params)],
  ])

const guardOf = (guard: AnyTransitionDefinition["guard"]): Json | undefined => {
  if (guard === undefined) return undefined
  if (typeof guard === "object") return named(guard.type, guard.params)
  return named(guardLabel(guard), undefined)
}

const actionsOf = (actions: AnyTransitionDefinition["actions"]): Json | undefined =>
  unlessEmpty(
    authored(actions).map((action) =>
      named(
        actionLabel(action),
        typeof action === "object" && "params" in action ? action.params : undefined,
      ),
    ),
  )

/** A key or id as a path may hold it: dots part it otherwise. */
const escaped = (key: string): string => key.replaceAll("\\", "\\\\").replaceAll(".", "\\.")

/** How a state is called from another one: by its key from beside it, by the whole path from elsewhere. */
const targetOf = (from: AnyStateNode, to: AnyStateNode): string => {
  const isPlain = /^[^.#\\]+$/.test(to.key)
  if (isPlain && to.parent !== undefined && to.parent === from.parent) return to.key
  if (isPlain && to.parent === from) return `.${to.key}`
  return `#${[to.machine.id, ...to.path].map(escaped).join(".")}`
}

const transitionOf = (transition: AnyTransitionDefinition): StatelyConfig =>
  object([
    ["target", oneOrMore((transition.target ?? []).map((to) => targetOf(transition.source, to)))],
    ["guard", guardOf(transition.guard)],
    ["actions", actionsOf(transition.actions)],
    ["reenter", transition.reenter ? true : undefined],
    ["description", transition.description],
  ])

const transitionsOf = (
  transitions: ReadonlyArray<AnyTransitionDefinition> | undefined,
): Json | undefined => oneOrMore((transitions ?? []).map(transitionOf))

/** The events that XState makes up; their transitions are written where they belong. */
const invokeEvents = {
  onDone: "xstate.done.actor.",
  onError: "xstate.error.actor.",
  onSnapshot: "xstate.snapshot.actor.",
} as const

const invokesOf = (node: AnyStateNode): Json | undefined =>
  unlessEmpty(
    node.invoke.map(({ id, src }) =>
      object([
        ["id", id],
        ["src", typeof src === "string" ? src : id],
        ...Object.entries(invokeEvents).map(
          ([key, prefix]) => [key, transitionsOf(node.transitions.get(`${prefix}${id}`))] as const,
        ),
      ]),
    ),
  )

/** Delayed transitions by their delay: a name, or milliseconds. */
const delaysOf = (node: AnyStateNode): Json | undefined => {
  const delays = [...new Map(node.after.map(({ delay, eventType }) => [String(delay), eventType]))]
  if (delays.length === 0) return undefined
  return object(delays.map(([delay, type]) => [delay, transitionsOf(node.transitions.get(type))]))
}

const eventsOf = (node: AnyStateNode): Json | undefined => {
  const elsewhere = new Set([
    `xstate.done.state.${node.id}`,
    ...node.after.map(({ eventType }) => eventType),
    ...node.invoke.flatMap(({ id }) =>
      Object.values(invokeEvents).map((prefix) => `${prefix}${id}`),
    ),
  ])
  const events = [...node.transitions].filter(([type]) => !elsewhere.has(type))
  if (events.length === 0) return undefined
  return object(events.map(([type, transitions]) => [type, transitionsOf(transitions)]))
}

const initialOf = (node: AnyStateNode): Json | undefined => {
  if (node.type !== "compound") return undefined
  const { target, actions } = node.initial
  const [to] = target
  if (to === undefined) return undefined
  const todo = actionsOf(actions)
  if (todo === undefined) return to.key
  return object([
    ["target", to.key],
    ["actions", todo],
  ])
}

/** Where a history state leads that has nothing to remember. */
const historyTarget = ({ config }: AnyStateNode): Json | undefined => {
  const target: unknown = "target" in config ? config.target : undefined
  return typeof target === "string" ? target : undefined
}

const kinds: ReadonlySet<string> = new Set(["parallel", "final", "history"])

const configOf = (node: AnyStateNode): StatelyConfig => {
  const states = Object.values(node.states)
  return object([
    ["id", node.parent === undefined || node.config.id !== undefined ? node.id : undefined],
    ["description", node.description],
    ["type", kinds.has(node.type) ? node.type : undefined],
    ["history", node.type === "history" && node.history === "deep" ? "deep" : undefined],
    ["target", node.type === "history" ? historyTarget(node) : undefined],
    ["initial", initialOf(node)],
    ["tags", unlessEmpty(node.tags)],
    ["entry", actionsOf(node.entry)],
    ["exit", actionsOf(node.exit)],
    ["invoke", invokesOf(node)],
    ["always", transitionsOf(node.always)],
    ["on", eventsOf(node)],
    ["after", delaysOf(node)],
    ["onDone", transitionsOf(node.transitions.get(`xstate.done.state.${node.id}`))],
    [
      "states",
      states.length === 0 ? undefined : object(states.map((one) => [one.key, configOf(one)])),
    ],
  ])
}

/**
 * Any XState machine as the JSON that `createMachine` of XState 5 takes, and that Stately's editor imports as
 * `createMachine(…)`. Guards, actions, actors and delays are there by name, functions are not: it is a
 * machine to look at and to edit, with the same states and transitions.
 *
 * @example
 * JSON.stringify(toStately(charts.connection), null, 2)
 */
export const toStately = (machine: AnyStateMachine): StatelyConfig => configOf(machine.root)
