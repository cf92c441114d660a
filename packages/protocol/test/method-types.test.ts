import { describe, expectTypeOf, it } from "vitest"
import type {
  CallToolResult,
  ClientMethod,
  ClientNotification,
  ItemOf,
  JsonObject,
  PagedMethod,
  ParamsOf,
  Prompt,
  Resource,
  ResourceTemplate,
  ResultOf,
  ServerMethod,
  ServerNotification,
  Tool,
} from "../src/index.js"

describe("types derived from the method table", () => {
  it("know who sends what", () => {
    expectTypeOf<"tools/list">().toExtend<ClientMethod>()
    expectTypeOf<"ping">().toExtend<ClientMethod & ServerMethod>()
    expectTypeOf<"roots/list">().not.toExtend<ClientMethod>()
    expectTypeOf<ServerMethod>().toEqualTypeOf<
      | "ping"
      | "roots/list"
      | "sampling/createMessage"
      | "elicitation/create"
      | "tasks/get"
      | "tasks/result"
      | "tasks/list"
      | "tasks/cancel"
    >()
    expectTypeOf<ClientNotification>().toEqualTypeOf<
      | "notifications/initialized"
      | "notifications/cancelled"
      | "notifications/progress"
      | "notifications/roots/list_changed"
      | "notifications/tasks/status"
    >()
    expectTypeOf<"notifications/message">().toExtend<ServerNotification>()
  })

  it("know the items of the paged lists", () => {
    expectTypeOf<PagedMethod>().toEqualTypeOf<
      "tools/list" | "prompts/list" | "resources/list" | "resources/templates/list" | "tasks/list"
    >()
    expectTypeOf<ItemOf<"tools/list">>().toEqualTypeOf<Tool>()
    expectTypeOf<ItemOf<"prompts/list">>().toEqualTypeOf<Prompt>()
    expectTypeOf<ItemOf<"resources/list">>().toEqualTypeOf<Resource>()
    expectTypeOf<ItemOf<"resources/templates/list">>().toEqualTypeOf<ResourceTemplate>()
  })

  it("leave _meta of params to the session", () => {
    expectTypeOf<{ name: string }>().toExtend<ParamsOf<"tools/call">>()
    expectTypeOf<ParamsOf<"tools/list">["_meta"]>().toEqualTypeOf<JsonObject | undefined>()
    expectTypeOf<object>().toExtend<ParamsOf<"server/discover">>()
  })

  it("refuse params that the method does not have", () => {
    // @ts-expect-error prompt arguments are strings (V25-PROMPT-01)
    const prompt: ParamsOf<"prompts/get"> = { name: "a", arguments: { n: 1 } }
    // @ts-expect-error a misspelt member
    const call: ParamsOf<"tools/call"> = { name: "a", argumets: {} }
    // @ts-expect-error no URI
    const read: ParamsOf<"resources/read"> = {}
    expectTypeOf([prompt, call, read]).toBeArray()
  })

  it("tell the eras apart", () => {
    expectTypeOf<ParamsOf<"tools/call", "legacy">>().toHaveProperty("task")
    expectTypeOf<ParamsOf<"tools/call", "modern">>().toHaveProperty("requestState")
    expectTypeOf<ParamsOf<"initialize", "modern">>().toBeNever()
    expectTypeOf<ResultOf<"tools/call", "modern">>().toEqualTypeOf<CallToolResult>()
    expectTypeOf<ResultOf<"tools/call", "legacy">["structuredContent"]>().toEqualTypeOf<
      JsonObject | undefined
    >()
  })

  it("let unknown members be read", () => {
    expectTypeOf<Tool["x-vendor"]>().toBeUnknown()
    expectTypeOf<Tool["name"]>().toBeString()
    expectTypeOf<ResultOf<"tools/list">["tools"]>().toEqualTypeOf<ReadonlyArray<Tool>>()
  })
})
