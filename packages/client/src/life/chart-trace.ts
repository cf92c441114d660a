import { StateMachine, type AnyActorRef, type InspectionEvent, type Snapshot } from "xstate"
import type { Trace } from "@entente/trace"

/** A state value as text: `ready.legacy`. */
const valueOf = (snapshot: Snapshot<unknown>): string => {
  const value: unknown = "value" in snapshot ? snapshot.value : snapshot.status
  return flatten(value)
}

const flatten = (value: unknown): string => {
  if (typeof value !== "object" || value === null) return String(value)
  return Object.entries(value)
    .map(([state, inner]) => `${state}.${flatten(inner)}`)
    .join(" ")
}

/** The chart's own name, whatever its place in the connection is called. */
const chartOf = (actor: AnyActorRef): string => {
  const logic: unknown = "logic" in actor ? actor.logic : undefined
  return logic instanceof StateMachine ? logic.id : actor.id
}

/** Watches every chart of one connection and records each change of state while somebody reads. */
export const inspectCharts = (trace: Trace): ((event: InspectionEvent) => void) => {
  const last = new WeakMap<AnyActorRef, string>()
  return (inspection) => {
    if (inspection.type !== "@xstate.snapshot") return
    // Only machines have a state value; the I/O actors below them do not count as charts.
    if (!("value" in inspection.snapshot)) return
    const actor = inspection.actorRef as AnyActorRef // the inspection API types it more loosely
    const from = last.get(actor) ?? "start"
    const to = valueOf(inspection.snapshot)
    if (from === to) return
    last.set(actor, to)
    if (!trace.active) return
    trace.emit({
      type: "transition",
      chart: chartOf(actor),
      event: inspection.event.type,
      from,
      to,
    })
  }
}
