// The client of `effect/ai`. It does not negotiate: it is given the revision of the scene's era.
import { NodeServices } from "@effect/platform-node"
import { McpClient, McpProtocol } from "effect/ai"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import { FetchHttpClient } from "effect/http"
import * as Layer from "effect/Layer"
import { ChildProcess } from "effect/process"
import * as Scope from "effect/Scope"
import { clientLimit } from "../limits.mjs"

const who = { name: "effect-ai", version: "1.0.0", timeout: clientLimit }
const protocols = { legacy: McpProtocol.v2025_11_25, modern: McpProtocol.v2026_07_28 }

const layers = {
  stdio: ({ command, args }, protocol) =>
    Layer.provide(
      McpClient.layerStdio({ ...who, protocol, command: ChildProcess.make(command, args) }),
      NodeServices.layer,
    ),
  http: ({ url }, protocol) =>
    Layer.provide(McpClient.layerHttp({ ...who, protocol, url }), FetchHttpClient.layer),
}

export const create = (target, { era }) => {
  const scope = Scope.makeUnsafe()
  let client
  let tools = []
  const list = async () => {
    tools = await Effect.runPromise(client.listTools())
    return { status: "complete", items: tools }
  }
  return {
    connect: async () => {
      const layer = layers[target.kind](target, protocols[era])
      const context = await Effect.runPromise(Layer.buildWithScope(layer, scope))
      client = Context.get(context, McpClient.McpClient)
      return { revision: client.protocolVersion }
    },
    list,
    again: list,
    call: () => {
      const tool = tools.find(({ name }) => name === "echo")
      const called = client.callTool(
        { tool, arguments: { text: "hello" } },
        { timeout: clientLimit },
      )
      return Effect.runPromise(called)
    },
    standing: () => ({ states: [] }),
    close: () => Effect.runPromise(Scope.close(scope, Exit.void)),
    nameOf: ({ reason, _tag, name }) => reason?._tag ?? _tag ?? name,
  }
}
