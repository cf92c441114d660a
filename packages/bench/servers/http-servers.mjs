// The servers over HTTP, all in this process, which prints their addresses as JSON. It goes when whoever
// started it goes.
import { startHttpPeer } from "@entente/testkit/node"
import { mixture, scriptOf } from "./kinds.mjs"

const urls = []
for (const [over, kind, era, count] of mixture) {
  if (over !== "http" || kind === "dead") continue
  for (let index = 0; index < count; index++) {
    const { url } = await startHttpPeer(scriptOf(kind, era))
    urls.push([`http-${kind}-${era}-${index}`, url])
  }
}
console.log(JSON.stringify(urls))
process.stdin.resume().on("end", () => process.exit())
