import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { Client } from "@entente/client"
import type { Transport } from "@entente/transport"

/** Prints the first ten tools of a server; no page is asked for that is not needed. */
export const firstTools = (transport: Transport) =>
  Effect.scoped(
    Effect.gen(function* () {
      const client = yield* Client.connect(transport)
      yield* Console.log(`${client.server.name} speaks ${client.protocolVersion}`)
      yield* client.tools.stream().pipe(
        Stream.take(10),
        Stream.runForEach((tool) => Console.log(`- ${tool.name}`)),
      )
    }),
  )
