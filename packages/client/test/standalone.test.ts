import { execFile } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { build } from "tsup"
import { afterAll, beforeAll, expect, it } from "vitest"
import { legacyServer, tool, withRules } from "@entente/testkit"
import { startStdioPeer } from "@entente/testkit/node"

const run = promisify(execFile)
const home = fileURLToPath(new URL("..", import.meta.url))
let folder = ""

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "entente-standalone-"))
  const { default: config } = await import("../tsup.standalone.config.js")
  const entry = [join(home, "src/standalone.ts")]
  const options = typeof config === "object" && !Array.isArray(config) ? config : {}
  await build({
    ...options,
    entry,
    outDir: folder,
    silent: true,
    config: false,
    esbuildOptions: (esbuild) => {
      esbuild.conditions = ["@entente/source", "node", "import"]
    },
  })
}, 120_000)

afterAll(() => rm(folder, { recursive: true, force: true }))

it("standalone is one file that needs nothing beside it", async () => {
  await using peer = await startStdioPeer(legacyServer({ tools: [tool("a")] }))
  const script = `
    import { connect, stdio } from ${JSON.stringify(pathToFileURL(join(folder, "standalone.js")).href)}
    const client = await connect(stdio(${JSON.stringify({ command: peer.command, args: peer.args })}))
    console.log((await client.tools.list()).items[0].name)
    await client.close()
  `
  // From an empty folder, so that no package can be found.
  const { stdout } = await run(process.execPath, ["--input-type=module", "-e", script], {
    cwd: folder,
  })
  expect(stdout.trim()).toBe("a")
}, 60_000)

/** Runs a script beside the one file and no package; it connects to a tool whose answer does not conform. */
const misled = async (flags: ReadonlyArray<string>, script: string): Promise<string> => {
  const outputSchema = { type: "object", properties: { n: { type: "number" } } }
  await using peer = await startStdioPeer(
    withRules(legacyServer({ tools: [tool("a", { outputSchema })] }), {
      when: { method: "tools/call" },
      reply: [{ result: { content: [], structuredContent: { n: "1" } } }],
    }),
  )
  const program = `
    import { connect, stdio, structuredContentOf } from ${JSON.stringify(pathToFileURL(join(folder, "standalone.js")).href)}
    const client = await connect(stdio(${JSON.stringify({ command: peer.command, args: peer.args })}))
    await client.tools.list()
    ${script}
    await client.close()
  `
  const { stdout } = await run(process.execPath, [...flags, "--input-type=module", "-e", program], {
    cwd: folder,
  })
  return stdout.trim()
}

it("V25-TOOL-07 V26-TOOL-08 standalone has what output schemas need, too", async () => {
  const script = `
    const error = await client.callTool({ name: "a" }).catch((reason) => reason)
    console.log(error.code, error.pointer)
  `
  expect(await misled([], script)).toBe("structured-content-invalid /n")
}, 60_000)

it("where no code may be made from text, as under a Content-Security-Policy, content is passed on unchecked", async () => {
  const script = `
    const result = await client.callTool({ name: "a" })
    console.log(JSON.stringify([structuredContentOf(result), client.notes]))
  `
  const [structured, notes] = JSON.parse(
    await misled(["--disallow-code-generation-from-strings"], script),
  )
  const reason = "/outputSchema cannot be compiled: no code may be generated here"
  expect(structured).toEqual({
    status: "unchecked",
    value: { n: "1" },
    reason: `The output schema is not used: ${reason}.`,
  })
  expect(notes).toEqual([{ code: "output-schema-unusable", detail: `"a": ${reason}`, count: 1 }])
}, 60_000)
