import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { PassThrough } from "node:stream"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { modernServer, tool } from "@entente/testkit"
import { startHttpPeer } from "@entente/testkit/node"
import { doctor } from "../src/commands/doctor.js"
import { clientPatients } from "../src/doctor/client-patients.js"
import type { Io } from "../src/io.js"

let root: string
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "entente-cli-client-"))
  await mkdir(join(root, ".gemini"))
})
afterAll(() => rm(root, { recursive: true, force: true }))

const configured = (mcpServers: object) =>
  writeFile(join(root, ".gemini", "settings.json"), JSON.stringify({ mcpServers }))

const world = () => {
  const written = { stdout: "", stderr: "" }
  const io: Io = {
    stdin: new PassThrough(),
    stdout: { write: (text) => (written.stdout += text) },
    stderr: { write: (text) => (written.stderr += text) },
    env: { HOME: root },
    cwd: root,
    signal: new AbortController().signal,
    main: "",
  }
  return { io, written }
}

describe("the servers of a client", () => {
  it("come with how the client is set up for each", async () => {
    await configured({
      shelf: { httpUrl: "http://127.0.0.1:1/mcp", excludeTools: ["burn"] },
      lamp: { httpUrl: "http://127.0.0.1:2/mcp", includeTools: ["light"] },
    })
    const patients = await clientPatients("gemini", undefined, world().io)
    expect(patients).toMatchObject([
      {
        name: "shelf",
        way: { headerNames: [] },
        context: {
          target: "shelf --from gemini",
          client: { kind: "gemini", server: "shelf", deny: { names: ["burn"] } },
        },
      },
      { name: "lamp", context: { client: { allow: { names: ["light"] } } } },
    ])
    expect(await clientPatients("gemini", "lamp", world().io)).toHaveLength(1)
  })

  it("are examined one after the other", async () => {
    await using peer = await startHttpPeer(modernServer({ tools: [tool("light")] }))
    await configured({ one: { httpUrl: peer.url }, two: { httpUrl: peer.url } })
    const { io, written } = world()
    const how = {
      json: true,
      color: false,
      era: "auto",
      timeoutMs: undefined,
      waitMs: 0,
      origin: undefined,
      experiments: false,
    }
    const subject = { kind: "client", client: "gemini", server: undefined, how } as const
    const code = await doctor(
      { name: "doctor", json: true, color: false, form: "json", format: undefined, subject },
      io,
    )
    expect(code).toBe(0)
    expect(JSON.parse(written.stdout)).toMatchObject({
      servers: [
        { name: "one", verdict: "healthy" },
        { name: "two", verdict: "healthy" },
      ],
    })
    expect(written.stderr).toBe("")
  })
})
