import { mkdtemp, readFile, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import { describe, expect, it } from "vitest"
import { connect } from "@entente/client"
import { memoryPeer, modernServer, tool } from "@entente/testkit"
import { startHttpPeer } from "@entente/testkit/node"
import type { Fault } from "@entente/transport"
import { byteByByte } from "./readme-bytes.js"
import { onABadDay } from "./readme-faults.js"
import { listRecorded, listReplayed } from "./readme-recording.js"

const textOf = (path: string) => readFile(new URL(path, import.meta.url), "utf8")
const script = modernServer({ tools: [tool("a"), tool("b")] })

describe("the wrappers in the README of the transports", () => {
  it("are the files that run here", async () => {
    const readme = await textOf("../../../transport/README.md")
    const examples = [...readme.matchAll(/```ts\n(.*?)```/gs)].map(([, example]) => example)
    expect(examples.slice(1)).toEqual(
      await Promise.all(
        ["recording", "faults", "bytes"].map((name) => textOf(`readme-${name}.ts`)),
      ),
    )
  })

  it("record a server, and replay it", async () => {
    const folder = await mkdtemp(join(tmpdir(), "entente-readme-"))
    const path = join(folder, "session.jsonl")
    const recorded = await listRecorded(memoryPeer(script).transport, path)
    expect(recorded.map(({ name }) => name)).toEqual(["a", "b"])
    expect(await listReplayed(path)).toEqual(recorded)
    await rm(folder, { recursive: true })
  })

  it("give a transport a bad day", async () => {
    const faults: Array<Fault> = []
    const transport = onABadDay(memoryPeer(script).transport, 1, (fault) => faults.push(fault))
    await using client = await connect(transport)
    expect((await client.tools.list()).status).toBe("complete")
    expect(faults.map(({ fault }) => fault)).toContain("latency")
  })

  it("cut the answers of a server into small pieces", async () => {
    await using peer = await startHttpPeer(script)
    await Effect.runPromise(
      Effect.scoped(
        Effect.gen(function* () {
          const transport = yield* byteByByte(peer.url, 1)
          const listing = yield* Effect.promise(async () => {
            await using client = await connect(transport)
            return await client.tools.list()
          })
          expect(listing.status).toBe("complete")
        }),
      ),
    )
  })
})
