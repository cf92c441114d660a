import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { connect, type ConnectOptions, type PromiseClient } from "@entente/client"
import { stdio } from "@entente/transport/stdio"
import { type Listening, freePort, installed, listening } from "@entente/published-servers"

const everything = "@modelcontextprotocol/server-everything"

const research = (ambiguous: boolean) => ({
  name: "simulate-research-query",
  arguments: { topic: "python", ambiguous },
})

describe.each(["stdio", "http"] as const)("tasks of server-everything over %s", (way) => {
  let server: Listening
  let url = ""

  beforeAll(async () => {
    const port = String(await freePort())
    server = await listening(installed(everything, "streamableHttp"), /listening/i, { PORT: port })
    url = `http://127.0.0.1:${port}/mcp`
  })
  afterAll(() => server[Symbol.asyncDispose]())

  const open = (options: ConnectOptions = {}): Promise<PromiseClient> =>
    connect(way === "stdio" ? stdio(installed(everything, "stdio")) : url, {
      mode: "legacy",
      ...options,
    })

  it(
    "V25-TASK-02 V25-TASK-07 V25-TASK-08 V25-TASK-09 V25-TASK-12 a tool that must become a task asks in the middle, and ends",
    { timeout: 30_000 },
    async () => {
      const asked: Array<string | undefined> = []
      await using client = await open({
        handlers: {
          elicitation: {
            form: (_, { relatedTask }) => {
              asked.push(relatedTask)
              return { action: "accept", content: { interpretation: "comedy" } }
            },
          },
        },
      })
      const task = await client.tasks.call(research(true))
      const seen: Array<string> = []
      for await (const { state } of task.statuses()) {
        if (seen.at(-1) !== state) seen.push(state)
      }
      expect(seen[0]).toBe("working")
      expect(seen).toContain("inputRequired")
      expect(seen.at(-1)).toBe("completed")
      expect(asked).toEqual([task.id])
      const { content, _meta: meta } = await task.result()
      expect(content[0]).toMatchObject({ text: expect.stringContaining("python (comedy)") })
      expect(meta).toMatchObject({ "io.modelcontextprotocol/related-task": { taskId: task.id } })
      expect(await client.tasks.list()).toMatchObject({
        status: "complete",
        items: [{ taskId: task.id, status: "completed" }],
      })
    },
  )

  it("V25-TASK-13 V25-TASK-15 is cancelled, stays so, and an unknown one is gone", async () => {
    await using client = await open()
    const task = await client.tasks.call(research(false))
    expect(await task.cancel()).toBe("cancelled")
    await expect(task.result()).rejects.toMatchObject({ _tag: "TaskCancelled", confirmed: true })
    expect(await client.tasks.get(String(task.id))).toMatchObject({ state: "cancelled" })
    await expect(client.tasks.get("no such task")).rejects.toMatchObject({ _tag: "TaskGone" })
  })

  it("V25-TASK-04 another of its tools is called plainly", async () => {
    await using client = await open()
    const task = await client.tasks.call({ name: "echo", arguments: { message: "hello" } })
    expect(task.id).toBeUndefined()
    expect(await task.result()).toMatchObject({ content: [{ text: "Echo: hello" }] })
  })
})
