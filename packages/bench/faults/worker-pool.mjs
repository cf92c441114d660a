// Processes of clients, used again until one of them hangs, crashes or grows.
import { fork } from "node:child_process"
import { fileURLToPath } from "node:url"

const file = fileURLToPath(new URL("worker.mjs", import.meta.url))

/** After so many cells a process is replaced, so that nothing piles up. */
const uses = 25

const start = (name) => {
  const child = fork(file, [name], { stdio: ["ignore", "ignore", "pipe", "ipc"] })
  let words = ""
  child.stderr.on("data", (bytes) => {
    words = (words + bytes).slice(-4_000)
  })
  /** The next message, or how the process ended. */
  const answer = () =>
    new Promise((resolve) => {
      const told = (message) => {
        child.off("exit", left)
        resolve(message)
      }
      const left = (code, signal) => {
        child.off("message", told)
        resolve({
          died: `${signal ?? `exit code ${code}`}: ${words.trim().split("\n").at(-1) ?? ""}`,
        })
      }
      child.once("message", told)
      child.once("exit", left)
    })
  return { child, answer, ready: answer(), left: uses }
}

/** Workers of one client; each does one job at a time. */
export const workerPool = (name) => {
  const idle = []
  const all = new Set()
  return {
    /** Runs a job; resolves with what was seen, `{ died }` or `{ hung: true }`. */
    run: async (job, limit) => {
      const worker = idle.pop() ?? start(name)
      all.add(worker.child)
      await worker.ready
      let timer
      const late = new Promise((resolve) => {
        timer = setTimeout(resolve, limit, { hung: true })
      })
      const answered = worker.answer()
      if (worker.child.connected) worker.child.send(job)
      const seen = await Promise.race([answered, late])
      clearTimeout(timer)
      worker.left -= 1
      const clean =
        seen.connect !== undefined &&
        seen.crashes.length === 0 &&
        seen.memory < 400 &&
        !["connect", "list", "call", "again", "close"].some(
          (step) => seen[step]?.outcome === "waiting",
        )
      if (clean && worker.left > 0) idle.push(worker)
      else {
        worker.child.kill("SIGKILL")
        all.delete(worker.child)
      }
      return seen
    },
    close: () => {
      for (const child of all) child.kill("SIGKILL")
    },
  }
}
