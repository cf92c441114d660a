import { describe, expect, it } from "vitest"
import { legacyServer, memoryPeer, pages, tool, withRules } from "@entente/testkit"
import { connected, names } from "./field/connected.js"

const twoPages = withRules(
  legacyServer({ tools: [] }),
  ...pages("tools/list", [
    { tools: [tool("a"), tool("b")], nextCursor: "2" },
    { tools: [tool("c")] },
  ]),
)

/** Page one comes; page two is never answered. */
const stuck = withRules(twoPages, {
  when: { method: "tools/list", params: { cursor: "2" } },
  reply: [{ silence: true }],
})

describe("a list as an async iterable", () => {
  it("gives every item, page by page", async () => {
    await using client = await connected(memoryPeer(twoPages).transport)
    const seen: Array<string> = []
    for await (const { name } of client.tools.all()) seen.push(name)
    expect(seen).toEqual(["a", "b", "c"])
    const byPage: Array<ReadonlyArray<string>> = []
    for await (const { items } of client.tools.pages()) byPage.push(names(items))
    expect(byPage).toEqual([["a", "b"], ["c"]])
  })

  it("asks for no page that is not needed", async () => {
    const peer = memoryPeer(twoPages)
    await using client = await connected(peer.transport)
    for await (const { name } of client.tools.all()) if (name === "b") break
    expect(peer.requests("tools/list")).toHaveLength(1)
  })

  it("ends at once with the signal, between items and while a page is awaited", async () => {
    const peer = memoryPeer(stuck)
    await using client = await connected(peer.transport)
    const between = new AbortController()
    const read = async (stop: AbortController, at: string): Promise<void> => {
      for await (const { name } of client.tools.all({ signal: stop.signal })) {
        if (name === at) stop.abort()
      }
    }
    await expect(read(between, "a")).rejects.toMatchObject({ _tag: "RequestAborted" })
    expect(peer.methods()).not.toContain("notifications/cancelled")

    const during = new AbortController()
    const reading = read(during, "none")
    await peer.next({ method: "tools/list", params: { cursor: "2" } })
    during.abort()
    await expect(reading).rejects.toMatchObject({ _tag: "RequestAborted" })
    await peer.next("notifications/cancelled")
  })

  it("reaches the page under way when its reader leaves while waiting for it", async () => {
    const peer = memoryPeer(stuck)
    await using client = await connected(peer.transport)
    const iterator = client.tools.all()[Symbol.asyncIterator]()
    await iterator.next()
    await iterator.next()
    const third = iterator.next()
    await peer.next({ method: "tools/list", params: { cursor: "2" } })
    await iterator.return?.()
    expect(await third).toMatchObject({ done: true })
    await peer.next("notifications/cancelled")
  })

  it("fails with what had arrived where the list ends before its end", async () => {
    const peer = memoryPeer(
      withRules(twoPages, {
        when: { method: "tools/list", params: { cursor: "2" } },
        reply: [{ error: { code: -32603, message: "out of ink" } }],
      }),
    )
    await using client = await connected(peer.transport)
    const seen: Array<string> = []
    const reading = async (): Promise<void> => {
      for await (const { name } of client.tools.all()) seen.push(name)
    }
    await expect(reading()).rejects.toMatchObject({
      _tag: "ListIncomplete",
      items: [{ name: "a" }, { name: "b" }],
      reason: { code: "peer-error", rpcCode: -32603 },
    })
    expect(seen).toEqual(["a", "b"])
  })
})
