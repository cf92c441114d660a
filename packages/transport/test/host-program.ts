/**
 * A program that holds a server and comes to the end that it is told: by a signal from outside, or in
 * its own way. Its arguments: how many generations the server's family has, and what to do about SIGINT.
 */
import * as Effect from "effect/Effect"
import { fixture } from "./stdio-fixture.js"

const [, , fixtures = "", generations = "", habit = ""] = process.argv

const ends: Readonly<Record<string, () => void>> = {
  throw: () => {
    throw new Error("as the test wanted")
  },
  exit: () => process.exit(4),
}

if (habit === "handles") process.on("SIGINT", () => process.exit(7))

await Effect.runPromise(
  Effect.scoped(
    Effect.gen(function* () {
      const channel = yield* fixture("family", [generations], {}, fixtures).open
      channel.listen({
        message: (value) => process.stdout.write(`${JSON.stringify(value)}\n`),
        note: () => {},
        unreadable: () => {},
        closed: () => {},
      })
      process.stdin.on("data", (order) => ends[String(order).trim()]?.())
      yield* Effect.never
    }),
  ),
)
