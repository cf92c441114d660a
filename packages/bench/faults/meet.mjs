// A client meets a fault in this process.
import process from "node:process"
import { clients, createClient } from "./clients.mjs"
import { describeError } from "./error-text.mjs"
import { visit } from "./visit.mjs"

/**
 * What the client saw, and in `crashes` what was thrown into the void meanwhile, as far as `overhear` hears
 * of it.
 */
export const meetHere = async (clientName, { target, scene, ...options }) => {
  const client = clients.find(({ name }) => name === clientName)
  const observed = await visit(await createClient(client, target, scene), options)
  return { crashes: [], ...observed }
}

/** Collects what nobody catches, instead of dying of it; `take` empties the collection. */
export const overhear = () => {
  let crashes = []
  const crashed = (error) => crashes.push(describeError(error, ({ name }) => name))
  process.on("unhandledRejection", crashed)
  process.on("uncaughtException", crashed)
  return {
    take: () => {
      const taken = crashes
      crashes = []
      return taken
    },
  }
}
