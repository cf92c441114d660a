// A first look, after the build: the bundled server seen through the command line, once in each era.
import { spawnSync } from "node:child_process"
import { fileURLToPath } from "node:url"

const entente = fileURLToPath(new URL("../packages/cli/dist/main.js", import.meta.url))

const stops = [
  ["demo:legacy", "A server of the older era: initialize first, then everything else"],
  ["demo:modern", "The same server in the newer era: every request brings its own metadata"],
]

for (const [target, heading] of stops) {
  console.log(`\n${heading}\n$ entente snapshot ${target}\n`)
  const { status } = spawnSync(process.execPath, [entente, "snapshot", target], {
    stdio: "inherit",
  })
  if (status !== 0) process.exit(status ?? 1)
}

console.log(`
What to try next (pnpm entente is the command built here):

  pnpm entente call demo add a:=2 b:=3          a tool with structured content
  pnpm entente call demo slow --json            the whole result as JSON
  pnpm entente tools -- npx -y some-mcp-server  any server that is a program
  pnpm entente snapshot https://example.com/mcp any server behind a URL
  pnpm entente charts connection                the state chart that ran just now
  pnpm entente --help                           everything else
`)
