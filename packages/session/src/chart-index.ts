import { childProcessMachine } from "./child-process.js"
import { connectionMachine } from "./connection.js"
import { httpSessionMachine } from "./http-session.js"
import { negotiationMachine } from "./negotiation.js"
import { subscriptionMachine } from "./subscription.js"

/** Every chart by its name: what documents, pictures and the command line draw from. */
export const charts = {
  connection: connectionMachine,
  negotiation: negotiationMachine,
  httpSession: httpSessionMachine,
  subscription: subscriptionMachine,
  childProcess: childProcessMachine,
} as const

export type ChartName = keyof typeof charts
