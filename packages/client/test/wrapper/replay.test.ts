import { describe, expect, it } from "vitest"
import { legacyServer, memoryPeer, modernServer, pages, tool, withRules } from "@entente/testkit"
import { startHttpPeer, startStdioPeer } from "@entente/testkit/node"
import { http, replay } from "@entente/transport"
import { stdio } from "@entente/transport/stdio"
import { recorded, useEverything, within } from "./recorded.js"

const offers = { tools: [tool("a"), tool("b")], prompts: [{ name: "p" }] }
const twoPages = pages("tools/list", [
  { tools: [tool("a")], nextCursor: "p2" },
  { tools: [tool("b")] },
])
const scripts = {
  legacy: withRules(legacyServer(offers), ...twoPages),
  modern: modernServer(offers),
}

describe("a recording that is replayed gives the same results", () => {
  for (const era of ["legacy", "modern"] as const) {
    it(`${era} over stdio`, async () => {
      await using peer = await startStdioPeer(scripts[era])
      const { outcome, text } = await recorded(stdio(peer), useEverything)
      await peer.close()
      expect(outcome.era).toBe(era)
      expect(await within(replay(text), useEverything)).toEqual(outcome)
    })

    for (const answers of ["json", "sse"] as const) {
      it(`${era} over HTTP with ${answers}`, async () => {
        const script =
          era === "legacy"
            ? legacyServer({ ...offers, sessionIds: ["S1-secret"], answers })
            : modernServer({ ...offers, answers })
        await using peer = await startHttpPeer(script)
        const { outcome, text } = await recorded(http(peer.url), useEverything)
        await peer.close()
        expect(outcome.era).toBe(era)
        expect(await within(replay(text), useEverything)).toEqual(outcome)
      })
    }

    it(`${era} in memory`, async () => {
      const { outcome, text } = await recorded(memoryPeer(scripts[era]).transport, useEverything)
      expect(await within(replay(text), useEverything)).toEqual(outcome)
    })
  }
})
