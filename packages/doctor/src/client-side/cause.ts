import type { Hypothesis } from "../diagnosis.js"

/** Everything that a client's configuration can do to tools. Each code has a heading in the docs. */
export const clientCauseCodes = [
  "server-switched-off",
  "server-not-approved",
  "server-not-configured",
  "server-not-read",
  "wrong-address-key",
  "variable-not-expanded",
  "allow-list-leaves-nothing",
  "allow-list-hides-tools",
  "deny-list-hides-tools",
  "filter-names-nothing",
  "tool-cap-exceeded",
] as const

export type ClientCauseCode = (typeof clientCauseCodes)[number]

/** A cause in the client. Its evidence is a file and no frame of a trace: the title says where. */
export interface ClientCause extends Hypothesis {
  readonly code: ClientCauseCode
  readonly family: 5
}

/** Puts a cause in the client together. */
export const clientCause = (cause: Omit<ClientCause, "family" | "evidence">): ClientCause => ({
  ...cause,
  family: 5,
  evidence: [],
})

/** What authors and proxies can do about it. */
export const notTheirs = {
  server: "Nothing: the server is not what keeps the tools away.",
  proxy: "Nothing: the client decides this before a message is sent.",
} as const
