import type { Readable } from "node:stream"
import { classify, rpcCode, type JsonRpcMessage, type JsonRpcRequest } from "@entente/protocol"
import { Fault } from "./fault.js"
import { revisionsOf, type DemoEra } from "./identity.js"
import { InFlight, type Answer } from "./in-flight.js"
import { LegacySession } from "./legacy.js"
import { Library, type Call } from "./library.js"
import { looksModern, modernResult, versionFault } from "./modern.js"

/** Characters that a line may have before the server gives up on it. */
const longestLine = 4 * 1024 * 1024

/** The lines of a byte stream; a line that is too long ends it. */
async function* linesOf(input: Readable): AsyncGenerator<string> {
  const decoder = new TextDecoder()
  let rest = ""
  for await (const chunk of input) {
    rest += decoder.decode(chunk as Uint8Array, { stream: true }) // no encoding is set, so these are bytes
    const lines = rest.split("\n")
    rest = lines.pop() ?? ""
    yield* lines
    if (rest.length > longestLine) return
  }
}

/** What a stdio server needs of the process it runs in. */
export interface StdioPort {
  readonly input: Readable
  readonly output: { readonly write: (text: string) => unknown }
  readonly signal: AbortSignal
}

/** Serves the reading room over stdio until its input ends or the signal is aborted. */
export const serveStdio = async (
  { input, output, signal }: StdioPort,
  era: DemoEra,
  version: string,
): Promise<void> => {
  const library = new Library()
  const legacy = new LegacySession(library, version)
  const modern = new InFlight()
  const supported = revisionsOf[era]

  const send = (message: JsonRpcMessage): void => {
    output.write(`${JSON.stringify(message)}\n`)
  }
  const notify: Call["notify"] = (method, params) => send({ jsonrpc: "2.0", method, params })

  const answer = (request: JsonRpcRequest): Promise<Answer | undefined> => {
    if (era === "modern" && request.method === "initialize") {
      // A client of the older era is told what it would have to speak (V26-ERA-15).
      return modern.run(request, () => {
        throw versionFault(supported, request.params?.["protocolVersion"])
      })
    }
    if (era === "legacy" || (era === "dual" && !looksModern(request))) {
      return legacy.answer(request, notify)
    }
    return modern.run(request, (signal) =>
      modernResult(
        request,
        { params: request.params ?? {}, notify, signal },
        { library, version, supported },
      ),
    )
  }

  const receive = (line: string): void => {
    let value: unknown
    try {
      value = JSON.parse(line)
    } catch {
      return send(new Fault(rpcCode.parseError, "This line is not JSON").answer(null))
    }
    const classified = classify(value)
    switch (classified.kind) {
      case "request":
        void answer(classified.message).then((given) => given && send(given.message))
        return
      case "notification":
        legacy.accept(classified.message)
        if (classified.message.method === "notifications/cancelled") {
          modern.cancel(classified.message.params?.["requestId"])
        }
        return
      case "batch":
        return send(new Fault(rpcCode.invalidRequest, "Batches are not served").answer(null))
      case "invalid":
        return send(new Fault(rpcCode.invalidRequest, classified.reason).answer(null))
      default: // An answer, but this server never asks anything.
    }
  }

  const stopListening = library.onToolsChanged(() => {
    // Modern clients learn of changes only where they asked for it (V26-SUB-02).
    if (legacy.revision !== undefined) notify("notifications/tools/list_changed", {})
  })
  const stop = (): void => void input.destroy()
  signal.addEventListener("abort", stop, { once: true })
  if (signal.aborted) stop()
  try {
    for await (const line of linesOf(input)) if (line.trim() !== "") receive(line)
  } catch (error) {
    if (!signal.aborted) throw error
  } finally {
    signal.removeEventListener("abort", stop)
    stopListening()
    legacy.end()
    modern.cancelAll()
  }
}
