// A server on Effect's own McpServer, over stdio, in every revision it speaks.
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeStdio from "@effect/platform-node/NodeStdio"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Logger from "effect/Logger"
import * as Schema from "effect/Schema"
import * as McpProtocol from "effect/ai/McpProtocol"
import * as McpServer from "effect/ai/McpServer"
import * as Tool from "effect/ai/Tool"
import * as Toolkit from "effect/ai/Toolkit"

const Add = Tool.make("add", {
  description: "Adds two numbers",
  parameters: Schema.Struct({ a: Schema.Number, b: Schema.Number }),
  success: Schema.Number,
})
const Greet = Tool.make("greet", {
  description: "Greets somebody",
  parameters: Schema.Struct({ name: Schema.String }),
  success: Schema.String,
})
const tools = Toolkit.make(Add, Greet)
const handlers = tools.toLayer({
  add: ({ a, b }) => Effect.succeed(a + b),
  greet: ({ name }) => Effect.succeed(`Good day, ${name}.`),
})

const server = McpServer.layerStdio({
  name: "effect-server",
  version: "1.0.0",
  protocols: [
    McpProtocol.v2026_07_28,
    McpProtocol.v2025_11_25,
    McpProtocol.v2025_06_18,
    McpProtocol.v2025_03_26,
    McpProtocol.v2024_11_05,
  ],
  registrations: McpServer.toolkit(tools).pipe(Layer.provide(handlers)),
})

Layer.launch(server).pipe(
  Effect.provide(NodeStdio.layer),
  Effect.provideService(Logger.LogToStderr, true),
  NodeRuntime.runMain,
)
