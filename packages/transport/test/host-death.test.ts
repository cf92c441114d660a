import { spawn } from "node:child_process"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { createInterface } from "node:readline"
import { fileURLToPath } from "node:url"
import { build } from "tsup"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { openChannel } from "./open-channel.js"
import { fixture, untilGone } from "./stdio-fixture.js"

let folder = ""
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "entente-host-"))
  await build({
    entry: [fileURLToPath(new URL("host-program.ts", import.meta.url))],
    outDir: folder,
    format: ["esm"],
    outExtension: () => ({ js: ".mjs" }),
    platform: "node",
    target: "node20",
    noExternal: [/^(?!node:)/],
    silent: true,
    config: false,
    esbuildOptions: (esbuild) => {
      esbuild.conditions = ["@entente/source", "node", "import"]
    },
  })
}, 120_000)

afterAll(() => rm(folder, { recursive: true, force: true }))

const generations = 3

/** Starts the program and waits until the whole family of its server is there. */
const host = async (habit = "") => {
  const fixtures = new URL("fixtures/", import.meta.url).href
  const program = spawn(
    process.execPath,
    [join(folder, "host-program.mjs"), fixtures, String(generations), habit],
    { stdio: ["pipe", "pipe", "ignore"] },
  )
  const ended = once(program, "exit")
  const family: Array<number> = []
  for await (const line of createInterface({ input: program.stdout })) {
    family.push(JSON.parse(line).ready)
    if (family.length === generations) break
  }
  expect(family).toHaveLength(generations)
  return { program, ended, family }
}

describe("a server whose host dies", { timeout: 60_000 }, () => {
  it.each(["SIGINT", "SIGTERM", "SIGHUP", "SIGKILL"] as const)(
    "is gone with all its descendants after %s, which ends the host as ever",
    async (signal) => {
      const { program, ended, family } = await host()
      program.kill(signal)
      expect(await ended).toEqual([null, signal])
      await Promise.all(family.map(untilGone))
    },
  )

  it.each([
    ["throw", 1],
    ["exit", 4],
  ] as const)("is gone with all its descendants after an end by %s", async (order, code) => {
    const { program, ended, family } = await host()
    program.stdin.write(`${order}\n`)
    expect(await ended).toEqual([code, null])
    await Promise.all(family.map(untilGone))
  })

  it("leaves a host's own handler for SIGINT in charge", async () => {
    const { program, ended, family } = await host("handles")
    program.kill("SIGINT")
    expect(await ended).toEqual([7, null])
    await Promise.all(family.map(untilGone))
  })
})

it("an open server installs no handler for a signal", async () => {
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"]
  const before = signals.map((signal) => process.listenerCount(signal))
  await using _opened = await openChannel(fixture("echo"))
  expect(signals.map((signal) => process.listenerCount(signal))).toEqual(before)
})
