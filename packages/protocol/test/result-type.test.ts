import { describe, expect, it } from "vitest"
import { readFreshness, readResultType, requests } from "../src/index.js"

const multiRound = ["tools/call", "prompts/get", "resources/read"]
const tasks = { "io.modelcontextprotocol/tasks": {} }

describe("readResultType", () => {
  it.each(Object.keys(requests))("V26-RTYPE-01 absent means complete for %s", (method) => {
    expect(readResultType(method, {})).toEqual({ ok: true, value: "complete" })
    expect(readResultType(method, { resultType: "complete" })).toEqual({
      ok: true,
      value: "complete",
    })
  })

  it.each(Object.keys(requests))(
    "V26-RTYPE-04 V26-MRTR-01 input_required is for the three methods: %s",
    (method) => {
      const read = readResultType(method, { resultType: "input_required", requestState: "s" })
      expect(read.ok).toBe(multiRound.includes(method))
    },
  )

  it("V26-RTYPE-03 V26-TASK-04 a task needs the extension to be advertised", () => {
    const result = { resultType: "task", taskId: "t" }
    expect(readResultType("tools/call", result)).toMatchObject({
      ok: false,
      pointer: "/resultType",
    })
    expect(readResultType("tools/call", result, tasks)).toEqual({ ok: true, value: "task" })
  })

  it.each(["prompts/get", "tools/list", "tasks/get"])(
    "V26-TASK-05 a task is no answer to %s",
    (method) => {
      expect(readResultType(method, { resultType: "task" }, tasks).ok).toBe(false)
    },
  )

  it.each(["weird", "", "Complete", "__proto__", null, 1, ["complete"]])(
    "V26-RTYPE-03 C035 %j makes a result invalid",
    (resultType) => {
      expect(readResultType("tools/call", { resultType }, tasks)).toMatchObject({
        ok: false,
        pointer: "/resultType",
      })
    },
  )

  it("V26-RTYPE-05 does not guess from other members", () => {
    const result = { resultType: "complete", inputRequests: {}, taskId: "t" }
    expect(readResultType("tools/call", result, tasks)).toEqual({ ok: true, value: "complete" })
    expect(readResultType("tools/call", { taskId: "t" }, tasks)).toEqual({
      ok: true,
      value: "complete",
    })
  })

  it("treats an unknown method as one that can only complete", () => {
    expect(readResultType("acme/launch", { resultType: "complete" }).ok).toBe(true)
    expect(readResultType("acme/launch", { resultType: "input_required" }).ok).toBe(false)
  })
})

describe("readFreshness", () => {
  it("V26-CACHE-01 reads both hints", () => {
    expect(readFreshness({ ttlMs: 60_000, cacheScope: "public" })).toEqual({
      ttlMs: 60_000,
      scope: "public",
    })
  })

  it.each([undefined, 0, -5, "60000", null, Number.NaN])(
    "V26-CACHE-03 a ttl of %j is 0",
    (ttlMs) => {
      expect(readFreshness({ ttlMs }).ttlMs).toBe(0)
    },
  )

  it.each([
    [1.9, 1],
    [1e300, Number.MAX_SAFE_INTEGER],
    [Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER],
  ])("V26-CACHE-03 an absurd ttl of %d becomes %d", (ttlMs, read) => {
    expect(readFreshness({ ttlMs }).ttlMs).toBe(read)
  })

  it.each([undefined, "private", "Public", "everyone", null, true])(
    "V26-CACHE-09 the scope %j is private",
    (cacheScope) => {
      expect(readFreshness({ cacheScope }).scope).toBe("private")
    },
  )
})
