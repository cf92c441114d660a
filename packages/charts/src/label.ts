import { and, not, or, stateIn } from "xstate"
import type { AnyStateNode, AnyTransitionDefinition } from "xstate"

type Guard = AnyTransitionDefinition["guard"]
type Action = AnyTransitionDefinition["actions"][number]

/** What `and`, `or`, `not` and `stateIn` hang on the functions they return; XState does not type it. */
interface Combined {
  readonly check?: unknown
  readonly guards?: ReadonlyArray<Guard>
  readonly stateValue?: unknown
}

const combined = (guard: unknown): Combined => guard as Combined // see the comment on Combined

const checkOf = {
  and: combined(and([])).check,
  or: combined(or([])).check,
  not: combined(not("")).check,
  stateIn: combined(stateIn("")).check,
}

/** A function written in place is named after the property it stands in, which says nothing. */
const nameOfFunction = (value: { readonly name: string }): string =>
  ["", "guard", "actions", "entry", "exit"].includes(value.name) ? "inline" : value.name

/** `canRetry(max=4)`: parameters are shown where they are plain values. */
const withParams = (type: string, params: unknown): string => {
  if (typeof params !== "object" || params === null) return type
  const shown = Object.entries(params)
    .filter(([, value]) => ["string", "number", "boolean"].includes(typeof value))
    .map(([key, value]) => `${key}=${String(value)}`)
  return shown.length === 0 ? type : `${type}(${shown.join(", ")})`
}

/** A guard in words: `canRetry`, `!canRetry`, `(a && b)`, `in #ready`. */
export const guardLabel = (guard: NonNullable<Guard>): string => {
  if (typeof guard === "string") return guard
  if (typeof guard === "object") return withParams(guard.type, guard.params)
  const { check, guards = [], stateValue } = combined(guard)
  const parts = guards.map((part) => (part === undefined ? "true" : guardLabel(part)))
  if (check === checkOf.not) return `!${parts.join("")}`
  if (check === checkOf.and) return `(${parts.join(" && ")})`
  if (check === checkOf.or) return `(${parts.join(" || ")})`
  if (check === checkOf.stateIn) {
    return `in ${typeof stateValue === "string" ? stateValue : JSON.stringify(stateValue)}`
  }
  return nameOfFunction(guard)
}

/** An action by its name; XState's own are shown without their prefix. */
export const actionLabel = (action: Action): string => {
  if (typeof action === "string") return action
  const type = "type" in action && typeof action.type === "string" ? action.type : undefined
  if (type !== undefined) return type.replace(/^xstate\./, "")
  return typeof action === "function" ? nameOfFunction(action) : "inline"
}

/** `after` is kept by XState as a delayed `raise` on entry and a `cancel` on exit: those are no actions of the author. */
const belongsToAfter = (action: Action): boolean => {
  const { event, sendId } = action as { event?: { type?: unknown }; sendId?: unknown } // untyped in XState
  return [event?.type, sendId].some(
    (name) => typeof name === "string" && name.startsWith("xstate.after."),
  )
}

/** The actions that the author of a chart wrote. */
export const authored = (actions: ReadonlyArray<Action>): ReadonlyArray<Action> =>
  actions.filter((action) => !belongsToAfter(action))

/** Their labels. */
export const actionLabels = (actions: ReadonlyArray<Action>): ReadonlyArray<string> =>
  authored(actions).map(actionLabel)

/** An invoked actor by the name of its logic, or by its id where the logic is inline. */
export const invokeLabel = (invoke: AnyStateNode["invoke"][number]): string =>
  typeof invoke.src === "string" ? invoke.src : invoke.id

const ends = [
  ["xstate.done.actor.", "done"],
  ["xstate.error.actor.", "failed"],
  ["xstate.snapshot.actor.", "changed"],
] as const

/** The event of a transition as people say it: `connect`, `handshake done`, `after 100 ms`, `always`. */
export const eventLabel = (node: AnyStateNode, eventType: string): string => {
  if (eventType === "") return "always"
  if (eventType === `xstate.done.state.${node.id}`) return "done"
  for (const [prefix, end] of ends) {
    if (!eventType.startsWith(prefix)) continue
    const id = eventType.slice(prefix.length)
    const invoke = node.invoke.find((one) => one.id === id)
    return `${invoke === undefined ? id : invokeLabel(invoke)} ${end}`
  }
  const delayed = node.after.find((one) => one.eventType === eventType)
  if (delayed !== undefined) {
    const { delay } = delayed
    return Number.isNaN(Number(delay)) ? `after ${String(delay)}` : `after ${String(delay)} ms`
  }
  return eventType
}
