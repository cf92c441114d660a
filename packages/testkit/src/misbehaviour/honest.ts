import type { JsonObject } from "@entente/protocol"
import { legacyServer, type LegacyServerOptions } from "../legacy-server.js"
import { modernServer } from "../modern-server.js"
import { tool, withRules } from "../rules.js"
import type { Match, RawBytes, Rule, Script, Step } from "../script.js"
import type { Over, Scene } from "./misbehaviour.js"

export const everywhere: ReadonlyArray<Over> = ["http", "stdio", "sse", "ws"]
export const httpAndStdio: ReadonlyArray<Over> = ["http", "stdio"]

export const echo = tool("echo")

/** The server that most misbehaviours spoil: it offers one tool, `echo`, and keeps the rules. */
export const honest = ({ era }: Scene, options: LegacyServerOptions = {}): Script =>
  era === "modern"
    ? modernServer({ tools: [echo], ...options })
    : legacyServer({ tools: [echo], ...options })

/** The honest server, after rules that go before its own. */
export const spoilt =
  (...rules: ReadonlyArray<Rule>) =>
  (scene: Scene): Script =>
    withRules(honest(scene), ...rules)

export const asked = (method: string, more: Match = {}): Match => ({
  kind: "request",
  method,
  ...more,
})

/** The honest server, which meets one method with these steps. */
export const whenAsked = (
  method: string,
  ...reply: ReadonlyArray<Step>
): ((scene: Scene) => Script) => spoilt({ when: asked(method), reply })

/** The honest server, which meets a tool call with these steps. */
export const whenCalled =
  (reply: (scene: Scene) => ReadonlyArray<Step>) =>
  (scene: Scene): Script =>
    whenAsked("tools/call", ...reply(scene))(scene)

/** A result of the era of the scene. */
export const complete = ({ era }: Scene, members: JsonObject): JsonObject =>
  era === "modern"
    ? { resultType: "complete", ttlMs: 0, cacheScope: "private", ...members }
    : members

/** The answer to a call, as an honest server gives it; `id` goes where it is told to. */
export const answer = (scene: Scene, text: string, id: unknown = { $from: "/id" }): JsonObject => ({
  jsonrpc: "2.0",
  id,
  result: complete(scene, { content: [{ type: "text", text }] }),
})

/** The members of the answer to `initialize`. */
export const initialized: JsonObject = {
  protocolVersion: "2025-11-25",
  capabilities: { tools: {} },
  serverInfo: { name: "scripted-peer", version: "1.0.0" },
}

/** The bytes of one message as each medium carries them. */
export const wire: Readonly<Record<Over, (message: RawBytes) => RawBytes>> = {
  stdio: (message) => [message, "\n"],
  http: (message) => message,
  sse: (message) => ["event: message\ndata: ", message, "\n\n"],
  ws: (message) => message,
}

/** The head of an event stream whose body is written by hand. */
export const eventStream: Step = { http: { headers: { "content-type": "text/event-stream" } } }
