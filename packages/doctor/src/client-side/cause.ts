import type { Hypothesis } from "../diagnosis.js"

/** Everything that a client's configuration can do to tools, and what it means. Each code has a heading in the docs. */
export const clientCauseMeanings = {
  "server-switched-off": "A switch or a list of servers takes the whole server away",
  "server-not-approved":
    "The server comes with the project, and no file says that somebody has approved it",
  "server-not-configured": "No file of the client names the server",
  "server-not-read": "The file or the entry cannot be read, so that the client has no such server",
  "wrong-address-key":
    "The address stands under a name of another client, or under one that means another transport",
  "variable-not-expanded": "A reference stays as it is written, or what it names is not set",
  "allow-list-leaves-nothing": "A list of allowed tools has none of those that the server offers",
  "allow-list-hides-tools": "A list of allowed tools leaves some out",
  "deny-list-hides-tools": "A list or a pattern denies some tools, or all",
  "filter-names-nothing": "A list has names that no tool has",
  "tool-cap-exceeded": "There are more tools than the client hands on",
} as const

export type ClientCauseCode = keyof typeof clientCauseMeanings

export const clientCauseCodes = Object.keys(clientCauseMeanings) as ReadonlyArray<ClientCauseCode> // `keys` loses the names

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
