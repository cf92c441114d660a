import { createRequire } from "node:module"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { loadSpawn, type Spawn } from "../src/stdio/load-spawn.js"

/**
 * What would be started on Windows. `cross-spawn` decides for the platform it is loaded on, so this file
 * loads it as if that were Windows, and looks at what it hands to Node.
 */
const started: Array<readonly [string, ReadonlyArray<string>, object]> = []
let onWindows: Spawn
const childProcess = createRequire(import.meta.url)("node:child_process") as {
  spawn: (...call: (typeof started)[number]) => unknown
}
const { spawn } = childProcess
const platform = Object.getOwnPropertyDescriptor(process, "platform")!

beforeAll(async () => {
  Object.defineProperty(process, "platform", { ...platform, value: "win32" })
  vi.stubEnv("comspec", "C:\\Windows\\system32\\cmd.exe")
  onWindows = await loadSpawn("win32")
  Object.defineProperty(process, "platform", platform)
  childProcess.spawn = (...call) => {
    started.push(call)
    return { emit: () => {} }
  }
})

afterAll(() => {
  childProcess.spawn = spawn
  vi.unstubAllEnvs()
})

const startOf = (file: string, args: ReadonlyArray<string>) => {
  onWindows(file, args, { stdio: "pipe" })
  return started.pop()!
}

describe("loadSpawn on Windows", () => {
  it("C059 starts a .cmd shim through cmd.exe, with every argument quoted", () => {
    const args = ["-y", "a b", 'say "hi"', "50%", "a&b|c>d", "back\\slash\\", ""]
    const [command, given, options] = startOf("C:\\Program Files\\nodejs\\npx.cmd", args)
    expect(command).toBe("C:\\Windows\\system32\\cmd.exe")
    expect(given.slice(0, 3)).toEqual(["/d", "/s", "/c"])
    const [line] = given.slice(3)
    expect(line).toBe(
      `"${[
        "C:\\Program^ Files\\nodejs\\npx.cmd",
        '^"-y^"',
        '^"a^ b^"',
        '^"say^ \\^"hi\\^"^"',
        '^"50^%^"',
        '^"a^&b^|c^>d^"',
        '^"back\\slash\\\\^"',
        '^"^"',
      ].join(" ")}"`,
    )
    // Node would quote the line once more.
    expect(options).toMatchObject({ windowsVerbatimArguments: true, stdio: "pipe" })
  })

  it("C059 starts a .bat file the same way", () => {
    const [command, given] = startOf("C:\\tools\\srv.bat", ["x"])
    expect([command, given.at(-1)]).toEqual([
      "C:\\Windows\\system32\\cmd.exe",
      '"C:\\tools\\srv.bat ^"x^""',
    ])
  })
})

describe("loadSpawn elsewhere", () => {
  it("is Node's own, without a shell in between", async () => {
    expect(await loadSpawn("linux")).toBe(await loadSpawn("darwin"))
    expect((await loadSpawn("linux")).name).toBe("spawn")
  })
})
