import { describe, expect, it } from "vitest"
import { startHttpPeer, startStdioPeer } from "@entente/testkit/node"
import { legacyServer, tool, withRules, type Step } from "@entente/testkit"
import { stdio } from "@entente/transport/stdio"
import { connected, reasonOf } from "./connected.js"

const calling = (...reply: ReadonlyArray<Step>) =>
  withRules(legacyServer({ tools: [tool("a")] }), { when: { method: "tools/call" }, reply })

const failureOver = async (...reply: ReadonlyArray<Step>): Promise<unknown> => {
  await using peer = await startHttpPeer(calling(...reply))
  await using client = await connected(peer.url)
  return await reasonOf(client.callTool({ name: "a" }))
}

describe("what an error says", () => {
  it.each<[string, Step, string]>([
    ["a text", { error: "It broke" }, '"It broke"'],
    [
      "an object with a text for a code",
      { error: { code: "E_BROKEN", message: "It broke" } },
      '{"code":"E_BROKEN","message":"It broke"}',
    ],
  ])("V25-RPC-05 V26-ENV-09 an error that is %s is shown as it came", async (_, step, shown) => {
    expect(await failureOver(step)).toMatchObject({
      code: "invalid-message",
      message: expect.stringContaining(shown),
    })
  })

  it.each<[string, Step, string]>([
    [
      "an empty body",
      { http: { headers: { "content-type": "application/json" }, text: "" } },
      "HTTP 200 came with an empty body",
    ],
    ["202", { http: { status: 202 } }, "HTTP 202 came with an empty body"],
    ["a stream without it", { event: { data: "" } }, "its stream ended before it"],
  ])("V25-HTTP-44 an answer that was lost to %s says so", async (_, step, shown) => {
    expect(await failureOver(step)).toMatchObject({
      code: "lost",
      message: expect.stringContaining(`The answer to tools/call was lost: ${shown}.`),
    })
  })

  it("V25-HTTP-43 an error of the server says with which status it came", async () => {
    const step: Step = { status: 500, error: { code: -32603, message: "It broke" } }
    expect(await failureOver(step)).toMatchObject({
      code: "peer-error",
      message: expect.stringContaining("was answered with HTTP 500, error -32603: It broke."),
    })
  })

  it("V25-STDIO-08 an answer that was lost with its process says how that ended", async () => {
    await using peer = await startStdioPeer(calling({ exit: 3 }))
    await using client = await connected(stdio(peer), { reconnect: "never" })
    expect(await reasonOf(client.callTool({ name: "a" }))).toMatchObject({
      code: "lost",
      message: expect.stringMatching(/was lost: The server process ended with exit code 3\. \(/),
    })
  })

  it("V25-STDIO-10 a process that ends without a word on stderr is quoted from stdout", async () => {
    await using peer = await startStdioPeer({
      rules: [{ when: { kind: "open" }, reply: [{ raw: "usage: server FILE\n" }, { exit: 0 }] }],
    })
    expect(await reasonOf(connected(stdio(peer)))).toMatchObject({
      code: "process-exited",
      message: expect.stringContaining(
        'exit code 0. A line came that was no message: "usage: server FILE".',
      ),
    })
  })
})
