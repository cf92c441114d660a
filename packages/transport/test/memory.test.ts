import { describe, expect, it } from "vitest"
import { memory, type MemoryClient } from "@entente/transport"
import { openChannel, openingFails, request } from "./open-channel.js"

const silent = { message: () => {} }

describe("memory", () => {
  it("V26-CUST-03 carries messages both ways, in order and later than the call", async () => {
    const seen: Array<unknown> = []
    await using opened = await openChannel(
      memory((client) => ({
        message: (message) => {
          seen.push(message)
          client.send({ echoed: message })
        },
      })),
    )
    const outcomes = [1, 2, 3].map((id) => opened.send(request(id)))
    expect(seen).toEqual([])
    expect(await Promise.all(outcomes)).toEqual([1, 2, 3].map(() => ({ _tag: "Written" })))
    await opened.recorder.until(({ messages }) => messages.length === 3)
    expect(seen).toEqual([1, 2, 3].map((id) => request(id)))
    expect(opened.recorder.messages).toEqual(seen.map((echoed) => ({ echoed })))
    expect(opened.recorder.origins).toContainEqual({ exchange: 0 })
  })

  it("shares no object: what crosses is JSON", async () => {
    const params = { list: [1], gone: undefined }
    const received: Array<unknown> = []
    const answer = { jsonrpc: "2.0", id: 1, result: { inner: {} } }
    await using opened = await openChannel(
      memory((client) => ({
        message: (message) => {
          received.push(message)
          client.send(answer)
        },
      })),
    )
    await opened.send(request(1, "x", params))
    await opened.recorder.until(({ messages }) => messages.length === 1)
    expect(received[0]).toStrictEqual(request(1, "x", { list: [1] }))
    expect(opened.recorder.messages[0]).toEqual(answer)
    expect(opened.recorder.messages[0]).not.toBe(answer)
  })

  it("keeps what arrives before anybody listens", async () => {
    await using opened = await openChannel(
      memory((client) => {
        client.send({ early: true })
        return silent
      }),
    )
    await opened.recorder.until(({ messages }) => messages.length === 1)
    expect(opened.recorder.messages).toEqual([{ early: true }])
  })

  it("tells the receiver once when the server closes, and fails what is sent afterwards", async () => {
    let client: MemoryClient | undefined
    await using opened = await openChannel(
      memory((given) => {
        client = given
        return silent
      }),
    )
    client?.close()
    client?.close()
    await opened.recorder.until(({ ends }) => ends.length > 0)
    expect(await opened.send(request(1))).toMatchObject({
      _tag: "Failed",
      mayHaveArrived: false,
      error: { code: "unreachable" },
    })
    expect(opened.recorder.ends).toHaveLength(1)
  })

  it("ends the connection when the server throws or rejects, with the cause", async () => {
    const cause = new Error("broken server")
    for (const fail of [
      () => Promise.reject(cause),
      () => {
        throw cause
      },
    ]) {
      await using opened = await openChannel(memory(() => ({ message: fail })))
      await opened.send(request(1))
      await opened.recorder.until(({ ends }) => ends.length > 0)
      expect(opened.recorder.ends[0]).toMatchObject({ _tag: "Unreachable", cause })
    }
  })

  it("fails to open when the server cannot be made", async () => {
    const failing = memory(() => {
      throw new Error("no")
    })
    expect(await openingFails(failing)).toMatchObject({ _tag: "Unreachable" })
  })

  it("tells the server when the scope closes, and says nothing more itself", async () => {
    let ended = 0
    let client: MemoryClient | undefined
    const opened = await openChannel(
      memory((given) => {
        client = given
        return { ...silent, closed: () => void ended++ }
      }),
    )
    await opened.close()
    client?.send({ late: true })
    client?.close()
    await new Promise((resume) => setImmediate(resume))
    expect(ended).toBe(1)
    expect(opened.recorder).toMatchObject({ messages: [], ends: [] })
  })

  it("reports a message that has no JSON form and stays usable", async () => {
    await using opened = await openChannel(memory(() => silent))
    const circular: Record<string, unknown> = {}
    circular["self"] = circular
    expect(await opened.send(request(1, "x", circular))).toMatchObject({
      _tag: "Failed",
      mayHaveArrived: false,
      error: { _tag: "InvalidInput", code: "invalid-input" },
    })
    expect(await opened.send(request(2))).toEqual({ _tag: "Written" })
  })

  it("opens twice into two independent connections", async () => {
    const transport = memory((client) => ({ message: (message) => client.send(message) }))
    await using one = await openChannel(transport)
    await using two = await openChannel(transport)
    await one.send(request(1))
    await one.recorder.until(({ messages }) => messages.length === 1)
    expect(two.recorder.messages).toEqual([])
  })
})
