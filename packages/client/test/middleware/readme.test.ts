import { readFile } from "node:fs/promises"
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base"
import { expect, it } from "vitest"
import { memoryPeer, modernServer, withRules } from "@entente/testkit"
import { startHttpPeer } from "@entente/testkit/node"
import { connected } from "../field/connected.js"
import { observed } from "../telemetry/readme-telemetry.js"
import { insists, remembers } from "./readme-layers.js"

const textOf = (path: string) => readFile(new URL(path, import.meta.url), "utf8")
const page = { resultType: "complete", ttlMs: 0, cacheScope: "private" }
const script = withRules(
  modernServer({ resources: [{ uri: "file:///a", name: "a" }] }),
  {
    when: { method: "resources/read" },
    times: 1,
    reply: [{ error: { code: -32_603, message: "busy" } }],
  },
  {
    when: { method: "resources/read" },
    reply: [{ result: { ...page, contents: [{ uri: "file:///a", text: "x" }] } }],
  },
)

it("the layers and the tracer in the README are the files that run here", async () => {
  const readme = await textOf("../../README.md")
  expect(readme).toContain(`\`\`\`ts\n${await textOf("readme-layers.ts")}\`\`\``)
  expect(readme).toContain(`\`\`\`ts\n${await textOf("../telemetry/readme-telemetry.ts")}\`\`\``)
})

it("the layers in the README try again, and ask once for what they know", async () => {
  const peer = memoryPeer(script)
  await using client = await connected(peer.transport, { middleware: [remembers(), insists] })
  const first = await client.readResource({ uri: "file:///a" })
  expect(await client.readResource({ uri: "file:///a" })).toEqual(first)
  expect(peer.requests("resources/read")).toHaveLength(2)
})

it("the tracer in the README tells of every request", async () => {
  const exporter = new InMemorySpanExporter()
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] })
  await using peer = await startHttpPeer(script)
  await using client = await observed(peer.url, provider)
  await client.resources.list()
  expect(exporter.getFinishedSpans().map(({ name }) => name)).toContain("resources/list")
})
