import { isJsonObject, type JsonObject } from "@entente/protocol"
import type { StartedMisbehaviour } from "../src/node.js"
import { notification } from "../src/index.js"
import { call } from "./raw-clients.js"
import { makeTranscript, type Transcript } from "./transcript.js"
import { openWire } from "./visit-wires.js"

/** What this visit does besides what the misbehaviour asks for. */
export interface VisitOptions {
  /** Asks `server/discover` first, also in the legacy era. */
  readonly probe?: boolean
  /** HTTP: opens the GET stream after the handshake. */
  readonly listens?: boolean
  /** When the server has received this method, pings it, to see that the answer does not come. */
  readonly silentAt?: string
  /** Which request of that method; default: the first. */
  readonly silentTime?: number
  /** Asks `server/discover` twice. */
  readonly twice?: boolean
  /** HTTP: `initialize` says MCP-Protocol-Version, as it should not. */
  readonly versionAtInitialize?: boolean
  /** Ends, terminates and kills, one after the other. */
  readonly ladder?: boolean
}

const version = "2026-07-28"
const meta = {
  "io.modelcontextprotocol/protocolVersion": version,
  "io.modelcontextprotocol/clientCapabilities": {},
}

/** Everything the server received, as lines of the transcript. */
const overhear = ({ peer }: StartedMisbehaviour, { log }: Transcript): void => {
  peer.watch(({ kind, message, httpMethod, signal }) => {
    const method = isJsonObject(message) ? message["method"] : undefined
    const what = method ?? (kind === "bodiless" ? httpMethod : signal)
    log(`> ${kind}${typeof what === "string" ? ` ${what}` : ""}`)
  })
}

/**
 * Walks through what the misbehaviour asks a client to do, as the most naive of clients: everything that
 * comes is written down, in the order it comes.
 */
export const visit = (
  started: StartedMisbehaviour,
  options: VisitOptions = {},
): { readonly transcript: Transcript; readonly leave: () => void } => {
  const { misbehaviour, scene, target, peer } = started
  const { probe = false, listens = false, silentAt, silentTime = 1, ladder = false } = options
  const transcript = makeTranscript()
  const answers = new Map<string, (message: JsonObject) => void>()
  overhear(started, transcript)

  const wire = openWire(target, transcript, (message) => {
    if (!isJsonObject(message)) return
    const { id, method } = message
    if (method === "ping") void say({ jsonrpc: "2.0", id, result: {} })
    else answers.get(String(id))?.(message)
  })

  const modern = scene.era === "modern"
  let revision = "2025-11-25"
  let ids = 0
  let untilSilence = silentTime

  const headersOf = (method: string | undefined, name: unknown): Record<string, string> => ({
    ...(modern && {
      "mcp-protocol-version": version,
      ...(method !== undefined && { "mcp-method": method }),
      ...(typeof name === "string" && { "mcp-name": name }),
    }),
    ...(!modern &&
      (method !== "initialize" || options.versionAtInitialize === true) && {
        "mcp-protocol-version": revision,
      }),
    ...(!modern &&
      method !== "initialize" &&
      wire.session() !== undefined && { "mcp-session-id": wire.session() ?? "" }),
  })

  const say = (message: JsonObject): Promise<unknown> =>
    wire.send(message, { headers: headersOf(undefined, undefined) })

  /** The answer, or nothing where it can no longer come. */
  const ask = async (method: string, params: JsonObject = {}): Promise<JsonObject | undefined> => {
    ids += 1
    const id = ids
    const answered = new Promise<JsonObject>((resolve) => answers.set(String(id), resolve))
    const message = call(id, method, modern ? { _meta: meta, ...params } : params)
    const over = wire.send(message, { headers: headersOf(method, params["name"]) })
    pingAfter(method)
    return Promise.race([answered, over.then(() => undefined)])
  }

  /** So that silence shows: what is asked later is answered first. */
  const pingAfter = (method: string): void => {
    if (silentAt !== method) return
    untilSilence -= 1
    const heard = peer.next(method)
    if (untilSilence > 0) return
    const clientInfo = { name: "visitor", version: "1.0.0" }
    const _meta = { ...meta, "io.modelcontextprotocol/clientInfo": clientInfo }
    void heard.then(() => ask("ping", modern ? { _meta } : {}))
  }

  const listTools = async (cursor?: unknown, pages = 1): Promise<void> => {
    const answer = await ask("tools/list", cursor === undefined ? {} : { cursor })
    const result = answer?.["result"]
    const next = isJsonObject(result) ? (result["nextCursor"] ?? undefined) : undefined
    if (next !== undefined && pages < 5) await listTools(next, pages + 1)
    else if (answer === undefined && wire.session() === "S1") {
      await handshake()
      await listTools()
    }
  }

  const handshake = async (): Promise<boolean> => {
    const clientInfo = { name: "visitor", version: "1.0.0" }
    const offer = { protocolVersion: revision, capabilities: {}, clientInfo }
    const result = (await ask("initialize", offer))?.["result"]
    if (!isJsonObject(result)) return false
    if (typeof result["protocolVersion"] === "string") revision = result["protocolVersion"]
    const accepted = say(notification("notifications/initialized"))
    pingAfter("notifications/initialized")
    if (scene.over === "http") await accepted
    return true
  }

  const walk = async (): Promise<void> => {
    if (modern || probe) await ask("server/discover", modern ? {} : { _meta: meta })
    if (options.twice === true) await ask("server/discover")
    const ready = modern || (await handshake())
    if (listens) void wire.fetch?.("GET", headersOf(undefined, undefined))
    if (!ready) return
    if (misbehaviour.try !== "connect") await listTools()
    if (misbehaviour.try === "call-echo") {
      await ask("tools/call", { name: "echo", arguments: { text: "hello" } })
    }
    if (misbehaviour.name === "ping-refused") await ask("ping")
    if (wire.session() !== undefined && !modern) {
      void wire.fetch?.("DELETE", headersOf(undefined, undefined))
    }
    if (!ladder) return
    wire.end()
    await peer.next({ kind: "end" })
    wire.kill("SIGTERM")
    if (misbehaviour.name !== "ignores-sigterm") return
    await peer.next({ kind: "signal" })
    wire.kill("SIGKILL")
  }

  walk().catch((error: unknown) => transcript.log(`visitor failed: ${String(error)}`))
  return { transcript, leave: () => wire.kill("SIGKILL") }
}
