import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { PeerError, explain } from "@entente/protocol"
import { doubtOf } from "../../src/offer/doubt.js"
import { namingOf, namings } from "../../src/offer/naming.js"

const refused = (rpcCode: number, rpcMessage: string) =>
  ({
    ok: false,
    error: new PeerError({
      ...explain("peer-error", "request", "here", rpcMessage),
      method: "m",
      rpcCode,
      rpcMessage,
    }),
  }) as const

const failed = (text: unknown) =>
  ({ ok: true, result: { isError: true, content: [{ type: "text", text }] } }) as const

describe("what raises the doubt whether something is still offered", () => {
  const tool = namings["tools/call"]

  it.each([
    ["Tool echo not found"],
    ["MCP error -32602: Tool echo not found"],
    ["MCP error -32602: Tool echo disabled"],
    ["Unknown tool: echo"],
    ["Unknown tool: 'echo'"],
    ['unknown tool "echo"'],
    ["No such tool: echo."],
    ["tool `echo` could not be found"],
    ["The tool echo is no longer available."],
    ["Tool echo is not registered"],
    // How effect-mcp 0.1 says it.
    [
      `[{"_tag":"Die","defect":"Expected McpError, got Error: Tool 'echo' not found\\n  at [\\"cause\\"]"}]`,
    ],
  ])("V26-TOOL-10 are the words: %s", (text) => {
    expect(doubtOf(tool, "echo", failed(text))).toBe("words")
    expect(doubtOf(tool, "echo", refused(-32603, text))).toBe("words")
  })

  it.each([
    ["Tool echoes not found"],
    ["Tool my-echo not found"],
    ["Tool echo.two not found"],
    ["echo: file not found"],
    ["MCP error -32602: Input validation error: Invalid arguments for tool echo: [n] Required"],
    [""],
    [7],
    [null],
  ])("V25-TOOL-05 are not the words: %s", (text) => {
    expect(doubtOf(tool, "echo", failed(text))).toBeUndefined()
  })

  it("V26-ERR-03 V26-RES-02 is a code that means this for the method", () => {
    const doubts = (method: string) =>
      [-32601, -32602, -32002, -32603, -32000, 0].filter((code) => {
        const naming = namingOf(method)
        return naming !== undefined && doubtOf(naming, "echo", refused(code, "no")) === "code"
      })
    expect(doubts("tools/call")).toEqual([-32601, -32602])
    expect(doubts("prompts/get")).toEqual([-32601, -32602])
    expect(doubts("resources/read")).toEqual([-32601, -32602, -32002])
    expect(doubts("completion/complete")).toEqual([])
    expect(doubts("__proto__")).toEqual([])
  })

  it("finds any name in what servers say, and throws at nothing", () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 1, unit: "grapheme" }),
        fc.anything(),
        (name, anything) => {
          expect(doubtOf(tool, name, failed(`Tool "${name}" not found`))).toBe("words")
          expect(doubtOf(tool, name, failed(anything))).toSatisfy(
            (doubt) => doubt === undefined || doubt === "words",
          )
          const content = { ok: true, result: { isError: true, content: anything } } as const
          expect(doubtOf(tool, name, content)).toBeUndefined()
        },
      ),
    )
  })
})
