import { examine } from "@entente/doctor"
import { legacyServer, memoryPeer, modernServer, pages, tool, withRules } from "@entente/testkit"
import { startHttpPeer } from "@entente/testkit/node"
import type { TraceEvent } from "@entente/trace"
import { http } from "@entente/transport"
import { variants } from "./variants/all-variants.js"
import { examineVariant } from "./variants/examine-variant.js"

/** A trace as it was recorded, and whose it is. */
export interface Recorded {
  readonly name: string
  readonly honest: boolean
  readonly trace: ReadonlyArray<TraceEvent>
}

const tools = [tool("echo"), tool("add")]

const paged = [{ tools: [tool("echo")], nextCursor: "p2" }, { tools: [tool("add")] }]

/** Servers with which nothing is wrong. */
const honest: Readonly<Record<string, Parameters<typeof memoryPeer>[0]>> = {
  legacy: legacyServer({ tools, prompts: [] }),
  modern: modernServer({ tools, resources: [] }),
  "in pages": withRules(legacyServer({ tools }), ...pages("tools/list", paged)),
}

/** Variants whose traces are short and differ: of all families, over all transports. */
const chosen: ReadonlySet<string> = new Set([
  "served-but-not-advertised",
  "lazy-registration",
  "empty",
  "no-such-command",
  "exits-with-stderr",
  "nothing-listens",
  "html-page",
  "ws-1011-instead-of-ready",
  "list-is-old",
  "never-asks-for-tools",
  "change-is-not-followed",
  "wants-login",
  "less-for-this-account",
])

/** Traces of servers that are well, and of some that are not. */
export const recordTraces = async (): Promise<ReadonlyArray<Recorded>> => {
  const recorded: Array<Recorded> = []
  for (const [name, script] of Object.entries(honest)) {
    const { transport } = memoryPeer(script)
    const { trace } = await examine({ transport: () => transport })
    recorded.push({ name: `${name} over memory`, honest: true, trace })
    const peer = await startHttpPeer(script)
    try {
      const { trace: overHttp } = await examine({ transport: () => http(peer.url) })
      recorded.push({ name: `${name} over HTTP`, honest: true, trace: overHttp })
    } finally {
      await peer.close()
    }
  }
  for (const variant of variants.filter(({ name }) => chosen.has(name))) {
    const { trace } = await examineVariant(variant)
    recorded.push({
      name: `${variant.name}, ${variant.era} over ${variant.over}`,
      honest: false,
      trace,
    })
  }
  return recorded
}
