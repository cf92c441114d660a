import { readFile } from "node:fs/promises"
import { describe, expect, it, vi } from "vitest"

const textOf = (path: string) => readFile(new URL(path, import.meta.url), "utf8")

describe("the example of the README", { timeout: 30_000 }, () => {
  it("is the file that runs here, and prints the answer", async () => {
    const [, example] = /```ts\n(.*?)```/s.exec(await textOf("../README.md")) ?? []
    expect(example).toBe(await textOf("readme-example.ts"))
    const log = vi.spyOn(globalThis.console, "log").mockImplementation(() => {})
    const { run } = await import("./readme-example.js")
    await run
    expect(log.mock.calls).toEqual([[{ jsonrpc: "2.0", id: 1, result: { pong: true } }]])
    log.mockRestore()
  })
})
