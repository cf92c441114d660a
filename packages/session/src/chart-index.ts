import { childProcessMachine } from "./child-process.js"
import { connectionMachine } from "./connection.js"
import { httpSessionMachine } from "./http-session.js"
import { listingMachine } from "./listing.js"
import { negotiationMachine } from "./negotiation.js"
import { subscriptionMachine } from "./subscription.js"
import { taskMachine } from "./task.js"

/** Every chart by its name: what documents, pictures and the command line draw from. */
export const charts = {
  connection: connectionMachine,
  negotiation: negotiationMachine,
  httpSession: httpSessionMachine,
  listing: listingMachine,
  subscription: subscriptionMachine,
  task: taskMachine,
  childProcess: childProcessMachine,
} as const

export type ChartName = keyof typeof charts
