import { expect } from "vitest"
import * as Effect from "effect/Effect"
import * as TestClock from "effect/testing/TestClock"
import { Client, memoryVerdicts, type ConnectOptions } from "@entente/client"
import type { Script } from "@entente/testkit"
import { httpPeer } from "@entente/testkit/node"
import { http } from "@entente/transport"

/** A scripted server over HTTP and a client of it, legacy unless the options say otherwise, on one clock. */
export const connect = (script: Script, options: ConnectOptions = {}) =>
  Effect.gen(function* () {
    const peer = yield* httpPeer(script)
    const client = yield* Client.connect(http(peer.url), {
      verdicts: memoryVerdicts(),
      mode: "legacy",
      ...options,
    })
    return { peer, client }
  })

/** Lets real sockets do their work while the clock of the test stands still. */
export const until = (holds: () => boolean) =>
  Effect.promise(async () => {
    while (!holds()) await new Promise((resolve) => setImmediate(resolve))
  })

/** Moves the clock in small steps until something has happened. */
export const passUntil = (holds: () => boolean, step: `${number} millis` = "50 millis") =>
  Effect.gen(function* () {
    for (let turn = 0; turn < 5_000 && !holds(); turn++) {
      yield* Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      yield* TestClock.adjust(step)
    }
    expect(holds()).toBe(true)
  })
