import { describe, expect, it } from "vitest"
import { classify } from "../src/index.js"
import { validMessages } from "./differential/corpus.js"

const ok = { jsonrpc: "2.0" }

describe("classify", () => {
  it.each(validMessages)("$name travels in the envelope that fits it", (message) => {
    const { method, part, value } = message
    const params = value === undefined ? {} : { params: value }
    const [kind, enveloped] =
      part !== "params"
        ? ["result", { ...ok, id: 1, result: value }]
        : method.startsWith("notifications/")
          ? ["notification", { ...ok, method, ...params }]
          : ["request", { ...ok, id: "1", method, ...params }]
    expect(classify(enveloped)).toEqual({ kind, message: enveloped })
  })

  it.each([0, -1, "", "7f1c", Number.MAX_SAFE_INTEGER])("V25-RPC-02 C053 takes the id %j", (id) => {
    expect(classify({ ...ok, id, method: "ping" }).kind).toBe("request")
    expect(classify({ ...ok, id, result: {} }).kind).toBe("result")
  })

  it.each([null, 1.5, true, {}, [1]])("V25-RPC-02 V26-ENV-02 refuses the id %j", (id) => {
    expect(classify({ ...ok, id, method: "ping" }).kind).toBe("invalid")
    expect(classify({ ...ok, id, result: {} }).kind).toBe("invalid")
  })

  it.each([{}, { id: null }, { id: 5 }, { id: "server-error" }])(
    "V25-RPC-06 V26-ENV-10 takes an error with %j",
    (id) => {
      const failure = { ...ok, ...id, error: { code: -32603, message: "boom" } }
      expect(classify(failure)).toEqual({ kind: "failure", message: failure })
    },
  )

  it.each([
    [{ ...ok, id: 1, result: {}, error: { code: 1, message: "" } }, "both result and error"],
    [{ ...ok, id: 1 }, "neither method, result nor error"],
    [{ ...ok, id: 1, result: [] }, '"result" is not an object'],
    [{ ...ok, id: 1, result: null }, '"result" is not an object'],
    [
      { ...ok, id: 1, error: { code: "1", message: "" } },
      "an error without integer code and message",
    ],
    [
      { ...ok, id: 1, error: { code: 1.5, message: "" } },
      "an error without integer code and message",
    ],
    [{ ...ok, id: 1, error: { code: 1 } }, "an error without integer code and message"],
    [
      { ...ok, id: {}, error: { code: 1, message: "" } },
      "an error whose id is neither string nor integer",
    ],
    [{ ...ok, method: "ping", params: [] }, '"params" is not an object'],
    [{ ...ok, result: {} }, "a result without a usable id"],
    [{ id: 1, method: "ping" }, '"jsonrpc" is not "2.0"'],
    [{ jsonrpc: 2, id: 1, method: "ping" }, '"jsonrpc" is not "2.0"'],
    ["ping", "not a JSON object"],
    [null, "not a JSON object"],
  ])("V25-RPC-05 %j is invalid: %s", (value, reason) => {
    expect(classify(value)).toEqual({ kind: "invalid", reason })
  })

  it("V25-RPC-12 hands a batch out unread", () => {
    const messages = [{ ...ok, method: "x" }, 5]
    expect(classify(messages)).toEqual({ kind: "batch", messages })
    expect(classify([])).toEqual({ kind: "batch", messages: [] })
  })
})
