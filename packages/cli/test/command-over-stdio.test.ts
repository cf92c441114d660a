import { readFile } from "node:fs/promises"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { legacyServer, tool } from "@entente/testkit"
import { startWebSocketPeer } from "@entente/testkit/node"
import { buildCommand, runProcess, type BuiltCommand } from "./built-command.js"
import { runHere } from "./world.js"

// Each of these starts processes, and the first builds the command.
vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })

let command: BuiltCommand
beforeAll(async () => {
  command = await buildCommand()
})
afterAll(() => command.remove())

const fixture = (name: string): string => fileURLToPath(new URL(name, import.meta.url))
const uneven = (...args: ReadonlyArray<string>) => [
  "--",
  process.execPath,
  fixture("./uneven-server.mjs"),
  ...args,
]

const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

describe("the built command", () => {
  it("is one file that needs nothing beside it but its manifest", async () => {
    expect(await runProcess(command.main, ["--version"])).toMatchObject({ code: 0, stderr: "" })
    const text = await readFile(command.main, "utf8")
    expect(text.startsWith("#!/usr/bin/env node\n")).toBe(true)
    const foreign = [...text.matchAll(/^import .* from "([^"]+)"/gm)].map(([, name]) => name ?? "")
    expect(foreign.filter((name) => !name.startsWith("node:"))).toEqual([])
  })

  it.each([
    ["demo", "modern", "2026-07-28"],
    ["demo:legacy", "legacy", "2025-11-25"],
    ["demo:modern", "modern", "2026-07-28"],
  ])("starts itself as the server %s", async (target, era, protocolVersion) => {
    const { code, stdout, stderr } = await runProcess(command.main, ["snapshot", target, "--json"])
    expect([code, stderr]).toEqual([0, ""])
    expect(JSON.parse(stdout)).toMatchObject({
      target,
      transport: "stdio",
      era,
      protocolVersion,
      server: { name: "reading-room" },
      lists: { tools: { status: "complete", pages: 2, items: { length: 9 } } },
    })
  })

  it("reaches a WebSocket, whose client is inside the one file too", async () => {
    await using peer = await startWebSocketPeer(legacyServer({ tools: [tool("a")] }))
    const { code, stdout, stderr } = await runProcess(command.main, ["tools", peer.url, "--json"])
    expect([code, stderr]).toEqual([0, ""])
    expect(JSON.parse(stdout)).toMatchObject({ items: [{ name: "a" }] })
  })

  it("serves HTTP until it is stopped, and reaches itself there", async () => {
    let stop = (): void => {}
    const served = await new Promise<{ url: string; ended: ReturnType<typeof runProcess> }>(
      (resolve) => {
        const ended = runProcess(command.main, ["demo", "--http"], (child) => {
          stop = () => void child.kill("SIGINT")
          child.stdout?.once("data", (url: string) => resolve({ url: url.trim(), ended }))
        })
      },
    )
    const called = await runHere(["call", served.url, "echo", "text=hi"])
    expect(called).toEqual({ code: 0, stdout: "hi\n", stderr: "" })
    stop()
    expect(await served.ended).toMatchObject({ code: 0, stdout: `${served.url}\n` })
  })

  it("closes everything when it is interrupted: it exits with 130 and its server is gone", async () => {
    const pidFile = join(dirname(command.main), "pid")
    const target = ["--", process.execPath, fixture("./pid-server.mjs"), pidFile, command.main]
    let pid = 0
    const ended = await runProcess(
      command.main,
      ["call", "slow", "seconds:=60", ...target, "demo"],
      (child) => {
        const look = setInterval(async () => {
          pid = Number(await readFile(pidFile, "utf8").catch(() => ""))
          if (pid === 0) return
          clearInterval(look)
          child.kill("SIGINT")
        }, 20)
      },
    )
    expect(ended).toEqual({ code: 130, stdout: "", stderr: "interrupted\n" })
    expect(isRunning(pid)).toBe(false)
  })
})

describe("entente with a command as its target", () => {
  it("calls a tool of it", async () => {
    const argv = ["call", "echo", "text=hi", "--", process.execPath, command.main, "demo"]
    expect(await runHere(argv)).toEqual({ code: 0, stdout: "hi\n", stderr: "" })
  })

  it("gives the command the environment of the shell", async () => {
    const script = "console.error('got ' + process.env.ENTENTE_PROBE); process.exit(1)"
    vi.stubEnv("ENTENTE_PROBE", "through")
    const { stderr } = await runHere(["tools", "--json", "--", process.execPath, "-e", script])
    vi.unstubAllEnvs()
    expect(JSON.parse(stderr)).toMatchObject({ error: { stderr: "got through" } })
  })

  it("exits with 4 and the last lines on stderr when it dies", async () => {
    const script = "console.error('first\\nboom\\u001b[31m'); process.exit(3)"
    const argv = ["snapshot", "--", process.execPath, "-e", script]
    const { code, stdout, stderr } = await runHere(argv)
    expect([code, stdout]).toEqual([4, ""])
    expect(stderr).toContain("exit code 3")
    expect(stderr).toContain("  │ first\n  │ boom\\x1b[31m\n")
    expect(stderr).not.toContain("\u001b")
  })

  it("exits with 4 when there is no such command", async () => {
    const { code, stderr } = await runHere(["tools", "--json", "--", "entente-no-such-command"])
    expect(code).toBe(4)
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: "command-not-found" } })
  })

  it("shows the part of a list that came, why it is not whole, and exits with 6", async () => {
    const { code, stdout, stderr } = await runHere(["tools", ...uneven()])
    expect([code, stderr]).toEqual([6, ""])
    expect(stdout).toContain("tools · partial · 1 item on 1 page\n")
    expect(stdout).toContain("the shelf fell down")
    expect(stdout).toContain("  good\n")
    expect(stdout).toContain('set aside: "bad" (page 1, item 2)')
    const json = await runHere(["tools", "--json", ...uneven()])
    expect(JSON.parse(json.stdout)).toMatchObject({
      status: "partial",
      pages: 1,
      items: [{ name: "good" }],
      quarantined: [{ name: "bad" }],
      reason: { message: expect.stringContaining("the shelf fell down") },
    })
  })

  it("exits with 6 for a list that is unavailable, and with 0 for one that is not offered", async () => {
    const prompts = await runHere(["prompts", "--json", ...uneven()])
    expect(prompts.code).toBe(6)
    expect(JSON.parse(prompts.stdout)).toMatchObject({ status: "unavailable", items: [] })
    const resources = await runHere(["resources", "--json", ...uneven()])
    expect(resources.code).toBe(0)
    expect(JSON.parse(resources.stdout)).toMatchObject({ status: "unsupported" })
  })

  it("notes what it tolerates, and refuses it with --strict", async () => {
    const lenient = await runHere(["snapshot", "--json", ...uneven("noisy")])
    expect(lenient.code).toBe(0)
    expect(JSON.parse(lenient.stdout)).toMatchObject({
      notes: expect.arrayContaining([
        { code: "stdout-noise", count: 1, detail: expect.stringContaining("starting") },
      ]),
    })
    const strict = await runHere(["tools", "--json", "--strict", ...uneven()])
    expect(strict.code).toBe(6)
    expect(JSON.parse(strict.stdout)).toMatchObject({ reason: { code: "not-tolerated" } })
  })
})
