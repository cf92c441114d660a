// One client in a process of its own: meets one fault after the other, as it is told.
import process from "node:process"
import { clients, createClient } from "./clients.mjs"
import { meetHere, overhear } from "./meet.mjs"

const [, , name] = process.argv
const { take } = overhear()

process.on("disconnect", () => process.exit())

process.on("message", async (task) => {
  take()
  const observed = await meetHere(name, task)
  await new Promise((resolve) => setTimeout(resolve, 20)) // what is thrown into the void comes late
  const memory = Math.round(process.resourceUsage().maxRSS / 1_024)
  process.send({ ...observed, crashes: take(), memory })
})

// Loaded before the first fault: nothing of that is to count as the client's time.
const client = clients.find((one) => one.name === name)
await createClient(client, { kind: "http", url: "http://127.0.0.1:9/" }, { era: "legacy" })
process.send({ ready: true })
