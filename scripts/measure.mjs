// `pnpm measure`: lines per package, and what the client costs beside the official one: size in a
// browser bundle and time of a cold import. Prints Markdown. Needs a build.
import { importTimes } from "./measure/import-time.mjs"
import { linesByPackage } from "./measure/lines.mjs"
import { bundleSize } from "./measure/size.mjs"

const contestants = [
  {
    name: "Entente over HTTP",
    size: 'export { connect } from "@entente/client"',
    modules: ["@entente/client"],
  },
  {
    name: "official over HTTP",
    size: 'export { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"',
    modules: ["@modelcontextprotocol/client"],
  },
  {
    name: "Entente over stdio",
    modules: ["@entente/client", "@entente/transport/stdio"],
  },
  { name: "Entente standalone, both", modules: ["@entente/client/standalone"] },
  {
    name: "official over stdio",
    modules: ["@modelcontextprotocol/client", "@modelcontextprotocol/client/stdio"],
  },
]

const kilobytes = (bytes) => (bytes / 1024).toFixed(1)
const shown = ({ atOnce, onFirstUse }) => `${kilobytes(atOnce)} + ${kilobytes(onFirstUse)} KB`

const lines = linesByPackage()
const total = (key) => lines.reduce((sum, each) => sum + each[key], 0)
console.log("| package | src lines | test lines | longest src file |")
console.log("| --- | ---: | ---: | ---: |")
for (const { name, src, test, longest } of lines) {
  console.log(`| ${name} | ${src} | ${test} | ${longest} |`)
}
console.log(`| all | ${total("src")} | ${total("test")} | |`)

console.log(
  "\n| client | for a browser, minified and gzipped: at once + on first use | cold import (fastest–slowest of 9) |",
)
console.log("| --- | ---: | ---: |")
const times = importTimes(contestants.map(({ modules }) => modules))
for (const [index, { name, size }] of contestants.entries()) {
  const bundle = size === undefined ? "–" : shown(await bundleSize(size))
  const { median, fastest, slowest } = times[index]
  const time = `${median.toFixed(0)} ms (${fastest.toFixed(0)}–${slowest.toFixed(0)})`
  console.log(`| ${name} | ${bundle} | ${time} |`)
}
