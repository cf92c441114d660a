import {
  isJsonObject,
  isLegacyRevision,
  legacyRevisions,
  rpcCode,
  type JsonObject,
  type JsonRpcNotification,
  type JsonRpcRequest,
  type LegacyRevision,
} from "@entente/protocol"
import { Fault } from "./fault.js"
import { instructions, serverInfo } from "./identity.js"
import { InFlight, type Answer } from "./in-flight.js"
import type { Call, Library } from "./library.js"
import { methodsOf } from "./methods.js"

const methods = methodsOf("legacy")

/** Members that older revisions do not have, and the revision that brought them. */
const introduced: Readonly<Record<string, LegacyRevision>> = {
  annotations: "2025-03-26",
  title: "2025-06-18",
  outputSchema: "2025-06-18",
  structuredContent: "2025-06-18",
}

const knows = (revision: LegacyRevision, member: string): boolean => {
  const since = introduced[member]
  return (
    since === undefined || legacyRevisions.indexOf(revision) <= legacyRevisions.indexOf(since) // newest first
  )
}

const trim = (revision: LegacyRevision, value: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(value).filter(([member]) => knows(revision, member)))

/** A result in the words of its revision: the members of it and of the items in its list. */
const trimResult = (revision: LegacyRevision, result: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(trim(revision, result)).map(([member, value]) => [
      member,
      Array.isArray(value)
        ? value.map((item: unknown) => (isJsonObject(item) ? trim(revision, item) : item))
        : value,
    ]),
  )

/** One legacy session: it begins with `initialize` and then speaks the revision agreed there. */
export class LegacySession {
  readonly #library: Library
  readonly #version: string
  readonly #inFlight = new InFlight()
  #revision: LegacyRevision | undefined

  constructor(library: Library, version: string) {
    this.#library = library
    this.#version = version
  }

  /** The revision agreed on; undefined before `initialize`. */
  get revision(): LegacyRevision | undefined {
    return this.#revision
  }

  /** Answers a request, or nothing when it is cancelled meanwhile. */
  answer(request: JsonRpcRequest, notify: Call["notify"]): Promise<Answer | undefined> {
    const { method, params = {} } = request
    return this.#inFlight.run(request, async (signal) => {
      if (method === "initialize") return this.#initialize(params)
      if (method === "ping") return {}
      const known = methods.get(method)
      if (known === undefined)
        throw new Fault(rpcCode.methodNotFound, `Method not found: ${method}`)
      const revision = this.#revision
      if (revision === undefined) throw new Fault(rpcCode.invalidRequest, "Send initialize first")
      return trimResult(revision, await known(this.#library, { params, notify, signal }))
    })
  }

  /** Takes a notification; those that mean nothing here are ignored. */
  accept({ method, params = {} }: JsonRpcNotification): void {
    if (method === "notifications/cancelled") this.#inFlight.cancel(params["requestId"])
  }

  end(): void {
    this.#inFlight.cancelAll()
  }

  /** Agrees to a revision it knows, and offers its newest otherwise (V25-LIFE-07). */
  #initialize(params: JsonObject): JsonObject {
    if (this.#revision !== undefined) throw new Fault(rpcCode.invalidRequest, "Already initialized")
    const { protocolVersion: asked } = params
    if (typeof asked !== "string") {
      throw new Fault(rpcCode.invalidParams, '"protocolVersion" is not a string')
    }
    const newest: LegacyRevision = "2025-11-25"
    const revision = isLegacyRevision(asked) ? asked : newest
    this.#revision = revision
    return {
      protocolVersion: revision,
      capabilities: { tools: { listChanged: true }, prompts: {}, resources: {} },
      serverInfo: trim(revision, serverInfo(this.#version)),
      instructions,
    }
  }
}
