// One of the servers over stdio: `stdio-server.mjs KIND ERA`.
import { serveStdio } from "@entente/testkit/node"
import { scriptOf } from "./kinds.mjs"

const [kind, era] = process.argv.slice(2)
serveStdio(scriptOf(kind, era))
