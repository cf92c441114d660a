import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, it } from "vitest"
import { memoryPeer, modernServer, tool } from "@entente/testkit"
import { encodeEvent, traceHeader } from "@entente/trace"
import { liveRun } from "./live-run.js"
import { storyOf } from "./readme-replay.js"

const textOf = (path: string) => readFile(new URL(path, import.meta.url), "utf8")

describe("the replay in the README", () => {
  it("is the file that runs here", async () => {
    expect(await textOf("../../README.md")).toContain(await textOf("readme-replay.ts"))
  })

  it("tells what the charts made of a recording", async () => {
    const { transport } = memoryPeer(modernServer({ tools: [tool("a")] }))
    const events = await liveRun(transport, (client) => client.tools.list())
    const folder = await mkdtemp(join(tmpdir(), "entente-readme-"))
    const path = join(folder, "session.jsonl")
    await writeFile(path, [traceHeader, ...events.map(encodeEvent)].join("\n"))
    expect(await storyOf(path)).toEqual([
      "1 channel: opening",
      "2 frame: negotiating",
      "3 frame: ready.modern",
      "4 frame: ready.modern",
      "5 frame: ready.modern",
      "6 close: closed",
    ])
    await rm(folder, { recursive: true })
  })
})
