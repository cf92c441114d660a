// `npm start` and `npm test` on a machine that has only Node and npm: runs `pnpm run <script>` with
// the pnpm named in package.json. pnpm installs the dependencies first when they are missing or out
// of date (`verifyDepsBeforeRun` in pnpm-workspace.yaml).
import { spawnSync } from "node:child_process"
import { readFileSync } from "node:fs"

const [script, ...args] = process.argv.slice(2)
const manifest = new URL("../package.json", import.meta.url)
const { packageManager } = JSON.parse(readFileSync(manifest, "utf8"))
const underPnpm = (process.env["npm_config_user_agent"] ?? "").startsWith("pnpm/")
const [command, prefix] = underPnpm
  ? ["pnpm", []]
  : // Offline first: `npx` otherwise asks the registry each time, and waits when there is none.
    ["npx", ["--yes", "--prefer-offline", packageManager]]

const { status } = spawnSync(command, [...prefix, "run", script, ...args], {
  stdio: "inherit",
  env: { TURBO_TELEMETRY_DISABLED: "1", ...process.env },
  shell: process.platform === "win32",
})
process.exitCode = status ?? 1
