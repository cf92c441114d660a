// One client in a process of its own: meets one fault after the other, as it is told.
import process from "node:process"
import { clients, createClient } from "./clients.mjs"
import { describeError } from "./error-text.mjs"
import { visit } from "./visit.mjs"

const client = clients.find(({ name }) => name === process.argv[2])
let crashes = []

const crashed = (error) => crashes.push(describeError(error, ({ name }) => name))
process.on("unhandledRejection", crashed)
process.on("uncaughtException", crashed)
process.on("disconnect", () => process.exit())

process.on("message", async ({ target, scene, ...options }) => {
  crashes = []
  const observed = await visit(await createClient(client, target, scene), options)
  await new Promise((resolve) => setTimeout(resolve, 20)) // what is thrown into the void comes late
  const memory = Math.round(process.resourceUsage().maxRSS / 1_024)
  process.send({ ...observed, crashes, memory })
})

await createClient(client, { kind: "http", url: "http://127.0.0.1:9/" }, { era: "legacy" })
process.send({ ready: true })
