// Entente through Effect. Everything runs inside one program, as it would for its users.
import { Client } from "@entente/client"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import { transportTo } from "./entente-transport.mjs"

export const open = async (target) => {
  const scope = await Effect.runPromise(Scope.make())
  const connected = Client.connect(transportTo(target)).pipe(Scope.provide(scope))
  const client = await Effect.runPromise(connected)

  const call = (n) =>
    Effect.map(client.callTool({ name: "tool-00000", arguments: { n } }), (result) =>
      Number(result.content[0].text),
    )
  const calls = (count, inFlight) =>
    Effect.gen(function* () {
      let sum = 0
      const add = (n) => Effect.map(call(n), (answer) => void (sum += answer))
      const numbers = Array.from({ length: count }, (_, n) => n)
      yield* Effect.forEach(numbers, add, { concurrency: inFlight, discard: true })
      return sum
    })

  return {
    calls: (count, inFlight) => Effect.runPromise(calls(count, inFlight)),
    list: () => Effect.runPromise(Stream.runCollect(client.tools.stream())),
    close: () => Effect.runPromise(Scope.close(scope, Exit.void)),
  }
}
