import * as Cause from "effect/Cause"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as Fiber from "effect/Fiber"
import { explain, InvalidInput, isJsonObject } from "@entente/protocol"
import type { Arrival } from "./arrival.js"
import { checkSteps, type Medium } from "./check-script.js"
import { endpointOf } from "./endpoint.js"
import { makeJournal, type Journal } from "./journal.js"
import { matches } from "./match.js"
import { fill } from "./placeholder.js"
import { makeRuleBook, type RuleBook } from "./rule-book.js"
import type { Match, Output, Script, Step } from "./script.js"

/** Where replies go: a channel, or the response of one HTTP exchange. All a medium has to provide. */
export interface Port {
  /** `stream` takes messages at any time, `waiting` takes an answer, `over` takes nothing. */
  readonly state: () => "waiting" | "stream" | "over"
  /** `last` tells that the reply ends right after this. */
  readonly put: (output: Output, last: boolean) => void
  /** The steps are over; `held` asks to keep an exchange open. */
  readonly end: (held: boolean) => void
  readonly destroy: () => void
}

/** A channel or HTTP exchange for as long as it lasts. */
export interface Place {
  /** Records what the client did, and begins to play the reply of the first rule that matches. */
  readonly receive: (what: Omit<Arrival, "at" | "place">) => void
  /** Stops what is being played. A client that left is recorded; only the first call counts. */
  readonly leave: (by: "client" | "peer", how?: Pick<Arrival, "closeCode">) => void
}

export interface Player extends Pick<RuleBook, "add" | "replace"> {
  readonly journal: Journal
  /** Takes up a channel or exchange; delays on it run on the clock in the context. */
  readonly open: (port: Port, context: Context.Context<never>) => Place
  /** Plays steps at once on what is open; see `Peer.play`. */
  readonly play: (steps: ReadonlyArray<Step>, where?: Match) => void
  /** Cuts every channel and exchange. */
  readonly cut: () => void
}

interface OpenPlace {
  readonly port: Port
  readonly arrivals: Array<Arrival>
  readonly run: (effect: Effect.Effect<void>) => void
  readonly leave: Place["leave"]
}

/** A step that failed is a fault of the script. Nobody called, so it surfaces as an uncaught error. */
const report = (cause: Cause.Cause<never>): void =>
  queueMicrotask(() => {
    throw Cause.squash(cause)
  })

/** A step that puts something out; results and errors become the messages they stand for. */
const outputOf = (
  step: Exclude<Step, { delay: number } | { silence: true } | { destroy: true }>,
  requestId: unknown,
): Output => {
  if (!("result" in step || "error" in step)) return step
  const { id = requestId, status, headers, ...outcome } = step
  return {
    message: { jsonrpc: "2.0", id, ...outcome },
    ...(status !== undefined && { status }),
    ...(headers !== undefined && { headers }),
  }
}

/**
 * Plays steps as the answer to an arrival. Everything before the first delay happens at once, so that
 * replies keep the order of what they answer.
 */
const playSteps = (steps: ReadonlyArray<Step>, arrival: Arrival, port: Port): Effect.Effect<void> =>
  Effect.gen(function* () {
    const { message } = arrival
    const requestId = isJsonObject(message) ? message["id"] : undefined
    for (const [index, template] of steps.entries()) {
      const step = fill(template, arrival) as Step // filling in values keeps the kind of the step
      if ("delay" in step) yield* Effect.sleep(step.delay)
      else if ("silence" in step) return port.end(true)
      else if ("destroy" in step) return port.destroy()
      else port.put(outputOf(step, requestId), index === steps.length - 1)
    }
    port.end(false)
  })

/**
 * The engine behind every peer: keeps the rules and the journal, and plays replies on whatever ports
 * its medium opens.
 */
export const makePlayer = (script: Script, medium: Medium): Player => {
  const endpoint = endpointOf(script, medium)
  const { journal, record } = makeJournal(endpoint)
  const { replyTo, add, replace } = makeRuleBook(script, medium, endpoint)
  const places = new Set<OpenPlace>()
  let opened = 0

  const open: Player["open"] = (port, context) => {
    const clock = Context.get(context, Clock.Clock)
    const fork = Effect.runForkWith(context)
    const fibers = new Set<Fiber.Fiber<void>>()
    opened += 1
    const place = opened

    const notice = (what: Omit<Arrival, "at" | "place">): Arrival => {
      const arrival = { ...what, at: clock.currentTimeMillisUnsafe(), place }
      record(arrival)
      return arrival
    }
    const entry: OpenPlace = {
      port,
      arrivals: [],
      run: (effect) => {
        const fiber = fork(effect)
        fibers.add(fiber)
        fiber.addObserver((exit) => {
          fibers.delete(fiber)
          if (Exit.isFailure(exit) && !Cause.hasInterruptsOnly(exit.cause)) {
            report(exit.cause)
            port.destroy()
          }
        })
      },
      leave: (by, how) => {
        if (!places.delete(entry)) return
        for (const fiber of fibers) fiber.interruptUnsafe()
        if (by === "client") notice({ ...entry.arrivals[0], ...how, kind: "disconnect" })
      },
    }
    places.add(entry)

    return {
      receive: (what) => {
        if (!places.has(entry)) return
        const arrival = notice(what)
        entry.arrivals.push(arrival)
        entry.run(playSteps(replyTo(arrival), arrival, port))
      },
      leave: entry.leave,
    }
  }

  const play: Player["play"] = (steps, where) => {
    checkSteps(steps, medium, "play")
    const targets = [...places].flatMap((place) => {
      const state = place.port.state()
      if (where === undefined ? state !== "stream" : state === "over") return []
      const arrival =
        where === undefined
          ? place.arrivals[0]
          : place.arrivals.findLast((arrival) => matches(where, arrival, endpoint))
      return arrival === undefined ? [] : [{ place, arrival }]
    })
    if (targets.length === 0) {
      throw new InvalidInput(
        explain("invalid-input", "input", "scripted peer", "Nothing is open where this could go."),
      )
    }
    for (const { place, arrival } of targets) place.run(playSteps(steps, arrival, place.port))
  }

  return {
    journal,
    open,
    play,
    add,
    replace,
    cut: () => {
      for (const place of places) {
        place.leave("peer")
        place.port.destroy()
      }
    },
  }
}
