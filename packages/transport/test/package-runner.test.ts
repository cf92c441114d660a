import { describe, expect, it } from "vitest"
import { packageRunnerOf } from "../src/stdio/package-runner.js"

describe("packageRunnerOf", () => {
  it.each([
    ["npx -y some-server", "npx"],
    ["/usr/local/bin/npx some-server", "npx"],
    ["C:\\node\\NPX.CMD some-server", "npx"],
    ["uvx some-server", "uvx"],
    ["uv run --with mcp server.py", "uv run"],
    ["uv --quiet tool run x", "uv tool"],
    ["docker run -i --rm image", "docker"],
    ["pnpm dlx x", "pnpm dlx"],
    ["pnpm --silent dlx x", "pnpm dlx"],
    ["yarn dlx x", "yarn dlx"],
    ["npm exec x", "npm exec"],
    ["bunx x", "bunx"],
    ["pipx run x", "pipx run"],
    ["deno run -A npm:x", "deno run"],
    ["cmd /c npx -y x", "npx"],
    ["cmd.exe /C pnpm dlx x", "pnpm dlx"],
    ["env A=b npx x", "npx"],
  ])("C061 knows %s", (line, name) => {
    const [command = "", ...args] = line.split(" ")
    expect(packageRunnerOf(command, args)).toBe(name)
  })

  it("C061 looks into the line that a shell is given", () => {
    expect(packageRunnerOf("sh", ["-c", "npx -y x"])).toBe("npx")
    expect(packageRunnerOf("/bin/bash", ["-lc", " uvx x"])).toBe("uvx")
    expect(packageRunnerOf("sh", ["-c", "cd /srv && npx x"])).toBeUndefined()
    expect(packageRunnerOf("sh", ["-c"])).toBeUndefined()
    expect(packageRunnerOf("cmd", ["/k"])).toBeUndefined()
  })

  it.each([
    "node server.js",
    "python -m npx",
    "npm start",
    "pnpm run dlx",
    "uv pip",
    "toString x",
    "env",
  ])("takes %s for a program like any other", (line) => {
    const [command = "", ...args] = line.split(" ")
    expect(packageRunnerOf(command, args)).toBeUndefined()
  })
})
