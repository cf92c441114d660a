import * as Effect from "effect/Effect"
import { faultyEngine, fetchEngine, http } from "@entente/transport"

export const byteByByte = (url: string, seed: number) =>
  Effect.map(faultyEngine(fetchEngine(fetch), { seed, maxPiece: 3, disconnect: 0.1 }), (engine) =>
    http(url, { engine }),
  )
