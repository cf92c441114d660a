import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import type { PromiseClient } from "@entente/client"
import { legacyServer, pages, tool, withRules } from "@entente/testkit"
import { startHttpPeer, startStdioPeer } from "@entente/testkit/node"
import { FileRecorder } from "@entente/trace/file"
import { http, record, replay } from "@entente/transport"
import { stdio } from "@entente/transport/stdio"
import { recorded, within } from "./recorded.js"

const secrets = {
  token: "tok-3f9a8c7b6d5e",
  header: "hdr-77aa88bb99cc",
  session: "sess-0123456789abcdef",
  url: "url-5544332211",
  password: "pw-hunter2-hunter2",
  cookie: "ck-abcabcabc123",
  state: "st-9988776655",
  cursorA: "token=cur-aaaaaaaaaa11",
  cursorB: "token=cur-bbbbbbbbbb22",
  answer: "sk-answeranswer12345678",
  realm: "rt-565656565656",
} as const

const use = async (client: PromiseClient) => {
  const listing = await client.tools.list()
  const call = (index: number) =>
    client.callTool({
      name: "a",
      arguments: { password: secrets.password, text: `Bearer ${secrets.token}`, index },
    })
  const results = [await call(1), await call(2)]
  const refused: unknown = await client.request("x/refused").catch((error: unknown) => error)
  return {
    status: listing.status,
    names: listing.items.map(({ name }) => name),
    results: results.length,
    refused: (refused as { readonly _tag: string })._tag, // an EntenteError
  }
}

const script = withRules(
  legacyServer({ tools: [tool("a")], sessionIds: [secrets.session] }),
  ...pages("tools/list", [
    { tools: [tool("a")], nextCursor: secrets.cursorA },
    { tools: [tool("b")], nextCursor: secrets.cursorB },
    { tools: [tool("c")] },
  ]),
  {
    when: { method: "tools/call" },
    reply: [
      {
        result: {
          content: [{ type: "text", text: `your key is ${secrets.answer}` }],
          requestState: secrets.state,
        },
        headers: { "set-cookie": `id=${secrets.cookie}; Path=/` },
      },
    ],
  },
)

/** The secrets that a recording shows, whole or without their name. */
const shownIn = (text: string): ReadonlyArray<string> =>
  Object.values(secrets).filter((secret) => text.includes(secret.replace("token=", "")))

describe("a recording holds no secret", () => {
  it("V25-HTTP-36 V25-SEC-01 V26-SEC-12 over HTTP, and can be followed all the same", async () => {
    const folder = await mkdtemp(join(tmpdir(), "entente-recording-"))
    const path = join(folder, "session.jsonl")
    await using peer = await startHttpPeer(
      withRules(script, {
        when: { method: "x/refused" },
        reply: [
          {
            http: {
              status: 403,
              headers: { "x-api-key": secrets.header },
              json: { refresh_token: secrets.realm },
            },
          },
        ],
      }),
    )
    const transport = http(`${peer.url}?api_key=${secrets.url}`, {
      headers: { authorization: `Bearer ${secrets.token}`, "x-api-key": secrets.header },
    })
    await using recorder = new FileRecorder(path)
    const outcome = await within(record(transport, recorder.read), use)
    await recorder.close()
    const text = await readFile(path, "utf8")
    await rm(folder, { recursive: true })
    expect(shownIn(text)).toEqual([])
    expect(outcome).toEqual({
      status: "complete",
      names: ["a", "b", "c"],
      results: 2,
      refused: "AuthorizationRequired",
    })
    expect(await within(replay(text), use)).toEqual(outcome)
  })

  it("over stdio, in what the process says and in its command", async () => {
    await using peer = await startStdioPeer(
      withRules(script, {
        when: { method: "x/refused" },
        reply: [{ stderr: `fatal: API_KEY=${secrets.header}\n` }, { exit: 1 }],
      }),
    )
    const { command, args } = peer
    const transport = stdio({ command, args: [...args, "--token", secrets.token] })
    const { outcome, text } = await recorded(transport, use, { reconnect: "never" })
    expect(outcome).toMatchObject({ names: ["a", "b", "c"], refused: "RequestLost" })
    expect(shownIn(text)).toEqual([])
    expect(await within(replay(text), use, { reconnect: "never" })).toEqual(outcome)
  })
})
