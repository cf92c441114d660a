// `npm test`: builds and checks everything, goes on after a failure so that all problems show, and
// ends with `N passed, M failed`.
import { spawn } from "node:child_process"
import { mkdirSync, rmSync } from "node:fs"
import { fileURLToPath } from "node:url"
import { line, sum } from "./verify/counts.mjs"
import { stages } from "./verify/stages.mjs"

const root = fileURLToPath(new URL("..", import.meta.url))
const runner = fileURLToPath(new URL("run.mjs", import.meta.url))
const longestMs = 15 * 60_000

/** Runs a script of package.json, shows its output and keeps it. */
const runScript = (script, args) =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, [runner, script, ...args], {
      cwd: root,
      stdio: ["ignore", "pipe", "inherit"],
      detached: process.platform !== "win32",
    })
    let output = ""
    child.stdout.setEncoding("utf8").on("data", (chunk) => {
      output += chunk
      process.stdout.write(chunk)
    })
    const limit = setTimeout(() => {
      console.log(`\n${script} did not end within ${longestMs / 60_000} minutes; it is killed.`)
      process.kill(process.platform === "win32" ? child.pid : -child.pid, "SIGKILL")
    }, longestMs)
    child.once("close", (exitCode) => {
      clearTimeout(limit)
      resolve({ exitCode, output })
    })
  })

const heading = (text) => console.log(`\n━━━ ${text} ${"━".repeat(Math.max(0, 60 - text.length))}`)

const runStage = async (stage, failed) => {
  heading(stage.name)
  if (stage.after !== undefined && failed.has(stage.after)) {
    console.log(`Not run, because ${stage.after} failed.`)
    return { name: stage.name, seconds: 0, counts: { passed: 0, failed: 1, skipped: 0 } }
  }
  const started = performance.now()
  const run = await runScript(stage.script, stage.args)
  const counts = stage.count(run)
  if (counts.failed > 0) failed.add(stage.name)
  const seconds = (performance.now() - started) / 1000
  return { name: stage.name, seconds, counts, note: stage.note?.(run) }
}

const table = (results) => {
  const width = Math.max(...results.map(({ name }) => name.length))
  for (const { name, seconds, counts, note } of results) {
    const mark = counts.failed > 0 ? "FAIL" : "pass"
    const remark = note === undefined ? "" : `; ${note}`
    const time = `${seconds.toFixed(1)} s`.padStart(8)
    console.log(`${mark}  ${name.padEnd(width)} ${time}  ${line(counts)}${remark}`)
  }
}

rmSync(`${root}.verify`, { recursive: true, force: true })
mkdirSync(`${root}.verify`)
process.chdir(root)

const results = []
const failed = new Set()
for (const stage of stages) results.push(await runStage(stage, failed))

heading("all stages")
table(results)
const total = sum(results.map(({ counts }) => counts))
process.exitCode = total.failed > 0 || total.passed === 0 ? 1 : 0
console.log(`\n${line(total)}`)
