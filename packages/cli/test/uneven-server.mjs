// A modern server over stdio whose lists break off: tools on the second page, prompts at once. One of
// its tools has no schema. With the argument "noisy" it first says something that is no message.
import { createInterface } from "node:readline"

const info = { "io.modelcontextprotocol/serverInfo": { name: "uneven", version: "1" } }
const complete = (result) => ({
  result: { resultType: "complete", ttlMs: 0, cacheScope: "private", ...result, _meta: info },
})
const broken = { error: { code: -32603, message: "the shelf fell down" } }

const answers = {
  "server/discover": () =>
    complete({
      supportedVersions: ["2026-07-28"],
      capabilities: { tools: {}, prompts: {} },
    }),
  "tools/list": ({ cursor }) =>
    cursor === undefined
      ? complete({
          tools: [{ name: "good", inputSchema: { type: "object" } }, { name: "bad" }],
          nextCursor: "two",
        })
      : broken,
  "prompts/list": () => broken,
}

if (process.argv.includes("noisy")) process.stdout.write("the server is starting\n")
createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line)
  const answer = answers[method]?.(params)
  if (answer) process.stdout.write(`${JSON.stringify({ jsonrpc: "2.0", id, ...answer })}\n`)
})
