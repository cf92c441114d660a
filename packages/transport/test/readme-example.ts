import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import { memory, type Receiver } from "@entente/transport"

const server = memory((client) => ({
  message: (message) => {
    if ("id" in message) client.send({ jsonrpc: "2.0", id: message.id, result: { pong: true } })
  },
}))

const program = Effect.gen(function* () {
  const channel = yield* server.open
  const answer = yield* Effect.callback<unknown>((resume) => {
    const receiver: Receiver = {
      message: (value) => resume(Effect.succeed(value)),
      note: () => {},
      unreadable: (error) => resume(Effect.die(error)),
      closed: (cause) => resume(Effect.die(cause)),
    }
    channel.listen(receiver)
    channel.send({ message: { jsonrpc: "2.0", id: 1, method: "ping" } }, () => {})
  })
  yield* Console.log(answer)
})

export const run = Effect.runPromise(Effect.scoped(program))
