// Who is tried, in the order of the table's columns.
import { createRequire } from "node:module"
import { readFileSync } from "node:fs"
import { dirname, join } from "node:path"

const require = createRequire(import.meta.url)

/** The version of an installed package, whether it exports its package.json or not. */
const versionOf = (name) => {
  const places = require.resolve.paths(name) ?? []
  for (const place of places) {
    try {
      return JSON.parse(readFileSync(join(place, name, "package.json"), "utf8")).version
    } catch {
      // looked for in the next place
    }
  }
  throw new Error(`${name} is not installed beside ${dirname(import.meta.url)}`)
}

export const clients = [
  {
    name: "entente",
    title: "Entente",
    source: `\`@entente/client\` ${versionOf("@entente/client")}`,
    over: ["http", "stdio", "sse", "ws"],
    file: "./clients/entente.mjs",
  },
  {
    name: "official",
    title: "official",
    source: `\`@modelcontextprotocol/client\` ${versionOf("@modelcontextprotocol/client")}`,
    over: ["http", "stdio", "sse"],
    file: "./clients/official.mjs",
  },
  {
    name: "effect-ai",
    title: "effect/ai",
    source: `\`effect/ai/McpClient\` of \`effect\` ${versionOf("effect")}`,
    over: ["http", "stdio"],
    file: "./clients/effect-ai.mjs",
  },
]

/** Makes a client for a target; nothing is sent before its `connect`. */
export const createClient = async ({ file }, target, scene) => {
  const { create } = await import(file)
  return create(target, scene)
}
