import { describe, expect, it } from "vitest"
import { extensionIdFault, metaKey, metaKeyFault } from "../src/index.js"

describe("a key that a caller puts into _meta", () => {
  it.each([
    "com.example/ticket",
    "com.example/",
    "example/a.b_c-d",
    "x/1",
    "a1.b-2.c/n",
    "com.example.mcp/x",
    "com.example.modelcontextprotocol/x",
    "ticket",
    "Ticket_7.b-c",
    "",
    "progressToken",
    "traceparent",
    "tracestate",
    "baggage",
    metaKey.relatedTask,
  ])("V25-META-04 V26-META-10 V26-META-14 may be %j", (key) => {
    expect(metaKeyFault(key)).toBeUndefined()
  })

  it.each([
    "/x",
    "1com.example/x",
    "com.1example/x",
    "com.example-/x",
    "com..example/x",
    ".com/x",
    "com./x",
    "com_x/y",
    "com example/x",
    "ü.de/x",
    "com.example/-x",
    "com.example/x-",
    "com.example/a/b",
    "com.example/ä",
    "a b",
    "-x",
    "x\n",
    "com.example/x\n",
  ])("V25-META-04 V26-META-10 may not be %j, which is not in the grammar", (key) => {
    expect(metaKeyFault(key)).toBeTypeOf("string")
  })

  it.each([
    "io.modelcontextprotocol/x",
    "io.mcp/x",
    "dev.mcp/x",
    "com.mcp.tools/x",
    "com.modelcontextprotocol.api/",
    // Reserved by 2025-06-18 alone, which a server may speak.
    "mcp.dev/x",
    "tools.mcp.com/x",
    "a.b.mcp.c/x",
    metaKey.protocolVersion,
    metaKey.clientCapabilities,
    metaKey.subscriptionId,
  ])("V25-META-05 V26-META-11 may not be %j, which is reserved", (key) => {
    expect(metaKeyFault(key)).toContain("reserved")
  })
})

describe("the id of an extension", () => {
  it.each(["io.modelcontextprotocol/tasks", "com.example/own", "example/x.y"])(
    "V26-EXT-02 may be %j",
    (id) => {
      expect(extensionIdFault(id)).toBeUndefined()
    },
  )

  it.each(["tasks", "", "/tasks", "1.x/tasks", "com.example/a b", "com..example/x", "a/b/c"])(
    "V26-EXT-02 may not be %j",
    (id) => {
      expect(extensionIdFault(id)).toBeTypeOf("string")
    },
  )
})
