import { it } from "@effect/vitest"
import * as Data from "effect/Data"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as FiberSet from "effect/FiberSet"
import * as Scope from "effect/Scope"
import { describe, expect } from "vitest"
import { createActor, setup, type PromiseActorLogic } from "xstate"
import { fromEffect, type Fork } from "../src/index.js"

class Refused extends Data.TaggedError("Refused")<{ readonly code: number }> {}

/** Invokes one actor, and says what came of it. */
const machineWith = (work: PromiseActorLogic<number, { readonly n: number }>) =>
  setup({
    types: {
      context: {} as { readonly outcome: unknown },
      events: {} as { readonly type: "leave" },
    },
    actors: { work },
  }).createMachine({
    context: { outcome: undefined },
    initial: "working",
    states: {
      working: {
        invoke: {
          src: "work",
          input: { n: 20 },
          onDone: {
            target: "done",
            actions: ({ context, event }) => void Object.assign(context, { outcome: event.output }),
          },
          onError: {
            target: "failed",
            actions: ({ context, event }) => void Object.assign(context, { outcome: event.error }),
          },
        },
        on: { leave: "left" },
      },
      done: { type: "final" },
      failed: { type: "final" },
      left: { type: "final" },
    },
  })

const run = (
  effect: (input: { readonly n: number }) => Effect.Effect<number, Refused>,
  fork: Fork,
) => {
  const actor = createActor(machineWith(fromEffect(effect, fork)))
  actor.start()
  const settled = Effect.callback<{ readonly value: unknown; readonly outcome: unknown }>(
    (resume) => {
      const tell = () => {
        const { value, context } = actor.getSnapshot()
        resume(Effect.succeed({ value, outcome: context.outcome }))
      }
      if (actor.getSnapshot().status !== "active") return tell()
      actor.subscribe({ complete: tell })
    },
  )
  return { actor, settled }
}

describe("fromEffect", () => {
  it.effect("success is the output, and the input reaches the effect", () =>
    Effect.gen(function* () {
      const fork = yield* FiberSet.makeRuntime()
      const { settled } = run(({ n }) => Effect.succeed(n + 1), fork)
      expect(yield* settled).toEqual({ value: "done", outcome: 21 })
    }),
  )

  it.effect("a typed error reaches onError as it is", () =>
    Effect.gen(function* () {
      const fork = yield* FiberSet.makeRuntime()
      const { settled } = run(({ n }) => Effect.fail(new Refused({ code: n })), fork)
      const { value, outcome } = yield* settled
      expect(value).toBe("failed")
      expect(outcome).toBeInstanceOf(Refused)
      expect(outcome).toMatchObject({ _tag: "Refused", code: 20 })
    }),
  )

  it.effect("a defect reaches onError too, also one thrown before there is an effect", () =>
    Effect.gen(function* () {
      const fork = yield* FiberSet.makeRuntime()
      const defect = new Error("a fault of the program")
      const died = run(() => Effect.die(defect), fork)
      expect(yield* died.settled).toEqual({ value: "failed", outcome: defect })
      const thrown = run(() => {
        throw defect
      }, fork)
      expect(yield* thrown.settled).toEqual({ value: "failed", outcome: defect })
    }),
  )

  it.effect("leaving the state interrupts the effect, and is no failure", () =>
    Effect.gen(function* () {
      const fork = yield* FiberSet.makeRuntime()
      const interrupted = yield* Deferred.make<void>()
      const { actor, settled } = run(
        () => Effect.onInterrupt(Effect.never, () => Deferred.succeed(interrupted, undefined)),
        fork,
      )
      actor.send({ type: "leave" })
      yield* Deferred.await(interrupted)
      expect(yield* settled).toEqual({ value: "left", outcome: undefined })
    }),
  )

  it.effect("an interruption from outside is no failure either", () =>
    Effect.gen(function* () {
      const scope = yield* Scope.make()
      const fork = yield* Scope.provide(FiberSet.makeRuntime(), scope)
      const { actor } = run(() => Effect.never, fork)
      yield* Scope.close(scope, Exit.void)
      yield* Effect.yieldNow
      expect(actor.getSnapshot()).toMatchObject({ status: "active", value: "working" })
      actor.stop()
    }),
  )

  it.effect("closing the scope stops the actor first, and waits for the finalizers", () =>
    Effect.gen(function* () {
      const log: Array<string> = []
      const scope = yield* Scope.make()
      yield* Effect.gen(function* () {
        const fork = yield* FiberSet.makeRuntime()
        const { actor } = yield* Effect.acquireRelease(
          Effect.sync(() =>
            run(
              () =>
                Effect.onInterrupt(Effect.never, () =>
                  Effect.andThen(
                    Effect.yieldNow,
                    Effect.sync(() => log.push("finalized")),
                  ),
                ),
              fork,
            ),
          ),
          ({ actor }) =>
            Effect.sync(() => {
              actor.stop()
              log.push("stopped")
            }),
        )
        expect(actor.getSnapshot().value).toBe("working")
      }).pipe(Scope.provide(scope))
      yield* Scope.close(scope, Exit.void)
      expect(log).toEqual(["stopped", "finalized"])
    }),
  )
})
