import * as Exit from "effect/Exit"
import * as Schema from "effect/Schema"
import * as McpSchema from "effect/ai/McpSchema"
import type { Shape } from "../../src/index.js"
import type { Message } from "./corpus.js"

/** As much of an RPC as is needed here. */
interface RpcLike {
  readonly payloadSchema: Schema.Top
  readonly successSchema: Schema.Top
}

/** Every RPC of `effect/ai`, by method; like the official package it has one set for both eras. */
const rpcs = new Map<string, RpcLike>([
  ...McpSchema.ClientRequestRpcs.requests,
  ...McpSchema.ClientNotificationRpcs.requests,
  ...McpSchema.ServerRequestRpcs.requests,
  ...McpSchema.ServerNotificationRpcs.requests,
])

/** Whether the schemas of `effect/ai` accept a message; nothing where they do not describe it. */
export const effectAi = ({ method, part, value }: Message): boolean | undefined => {
  const rpc = rpcs.get(method)
  if (rpc === undefined || part === "input_required" || part === "task") return undefined
  const schema = part === "params" ? rpc.payloadSchema : rpc.successSchema
  // None of them needs a service to decode.
  return Exit.isSuccess(Schema.decodeUnknownExit(schema as unknown as Shape)(value))
}
