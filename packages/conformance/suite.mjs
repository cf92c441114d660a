// Where the official suite is, and a Node that can run it. The suite uses `fs.globSync`, so it needs
// Node 22 or newer; on Linux the optional packages `node-linux-*` bring one.
import { existsSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname, join } from "node:path"

const oldestMajor = 22
const require = createRequire(import.meta.url)

/** The folder of an installed package, or undefined. */
const packageFolder = (name) => {
  try {
    return dirname(require.resolve(`${name}/package.json`))
  } catch {
    return undefined
  }
}

const findNode = () => {
  if (Number.parseInt(process.versions.node, 10) >= oldestMajor) return process.execPath
  const folder = packageFolder(`node-${process.platform}-${process.arch}`)
  const binary = folder === undefined ? undefined : join(folder, "bin", "node")
  return binary !== undefined && existsSync(binary) ? binary : undefined
}

/** `{ node, entry }`: how to start the suite; or `{ missing }`: why it cannot run here. */
export const findSuite = () => {
  const node = findNode()
  if (node === undefined) {
    return {
      missing:
        `the official suite needs Node ${oldestMajor} or newer; this is Node ${process.versions.node} ` +
        `and there is no package node-${process.platform}-${process.arch}`,
    }
  }
  const folder = packageFolder("@modelcontextprotocol/conformance")
  if (folder === undefined) return { missing: "@modelcontextprotocol/conformance is not installed" }
  return { node, entry: join(folder, "dist", "index.js") }
}
