import * as Schema from "effect/Schema"
import { z } from "zod"
import { connect } from "@entente/client"
import type { Transport } from "@entente/transport"

const Weather = z.object({ celsius: z.number() })
const Tides = Schema.Struct({ high: Schema.Array(Schema.String) })

/** Methods that no specification knows: read with zod, with Effect, or with any other Standard Schema. */
export const forecast = async (target: string | Transport): Promise<void> => {
  await using client = await connect(target)
  const { celsius } = await client.request("example/weather", { city: "Ostend" }, Weather)
  const { high } = await client.request("example/tides", { city: "Ostend" }, Tides)
  console.log(`${celsius} °C, high tide at ${high.join(" and ")}`)
}
