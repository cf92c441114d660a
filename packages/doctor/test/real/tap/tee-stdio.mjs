// `tee-stdio.mjs LOG COMMAND [ARGUMENT…]`: starts a server and passes everything on; what went to it is in
// LOG.up afterwards, what came from it in LOG.down.
import { spawn } from "node:child_process"
import { openSync, writeSync } from "node:fs"

const [log, command, ...args] = process.argv.slice(2)
const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] })

const pass = (from, to, name) => {
  const file = openSync(`${log}.${name}`, "w")
  from.on("data", (bytes) => {
    writeSync(file, bytes)
    to.write(bytes)
  })
  from.on("end", () => to.end())
}
pass(process.stdin, child.stdin, "up")
pass(child.stdout, process.stdout, "down")
child.stdin.on("error", () => {})
child.on("close", (code) => process.exit(code ?? 1))
