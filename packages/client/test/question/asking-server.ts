import type { JsonObject } from "@entente/protocol"
import {
  legacyServer,
  request,
  tool,
  withRules,
  type Match,
  type Peer,
  type Script,
} from "@entente/testkit"
import { startHttpPeer } from "@entente/testkit/node"

export const offers = { tools: [tool("a")] }

/** A server of the legacy era with one tool. */
export const server: Script = legacyServer(offers)

/** The same, whose answer to `tools/call` begins with a question and then waits. */
export const askingInACall = (script: Script, ...questions: ReadonlyArray<JsonObject>): Script =>
  withRules(script, {
    when: { method: "tools/call" },
    reply: [...questions.map((message) => ({ message })), { silence: true }],
  })

/** Sends a question and waits for the answer to it. */
export const answerTo = async (
  peer: Peer,
  id: string | number,
  method: string,
  params?: JsonObject,
  where?: Match,
): Promise<unknown> => {
  peer.send(request(id, method, params), where)
  return answer(peer, id)
}

/** The answer to a question, past or future. */
export const answer = async (peer: Peer, id: string | number): Promise<unknown> => {
  const { message } = await peer.until(
    (arrival) => arrival.kind === "response" && idOf(arrival.message) === id,
  )
  return message
}

const idOf = (message: unknown): unknown =>
  typeof message === "object" && message !== null && "id" in message ? message.id : undefined

/** The answers that came, in order. */
export const answers = (peer: Peer): ReadonlyArray<unknown> =>
  peer.received.filter(({ kind }) => kind === "response").map(({ message }) => message)

export const result = (id: string | number, result: unknown) => ({ jsonrpc: "2.0", id, result })

export const error = (id: string | number, code: number) =>
  ({ jsonrpc: "2.0", id, error: { code } }) as const

/** A server over HTTP with a session and a GET stream. */
export const listeningServer = (sessionIds: ReadonlyArray<string> = ["S1", "S2"]) =>
  startHttpPeer(legacyServer({ ...offers, sessionIds, listens: true }))
