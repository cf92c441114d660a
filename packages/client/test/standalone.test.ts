import { execFile } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { promisify } from "node:util"
import { build } from "tsup"
import { afterAll, beforeAll, expect, it } from "vitest"
import { legacyServer, tool } from "@entente/testkit"
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
