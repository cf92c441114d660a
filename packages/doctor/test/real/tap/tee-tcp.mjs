// `tee-tcp.mjs FOLDER PORT`: listens on a port that the system gives (printed on stdout) and passes every
// connection on to PORT. What went there on connection N is in FOLDER/N.up, what came back in FOLDER/N.down.
import { openSync, writeSync } from "node:fs"
import { connect, createServer } from "node:net"

const [folder, port] = process.argv.slice(2)
let connections = 0

const server = createServer({ noDelay: true }, (client) => {
  const number = ++connections
  const onwards = connect({ port: Number(port), host: "127.0.0.1", noDelay: true })
  const pass = (from, to, name) => {
    const file = openSync(`${folder}/${number}.${name}`, "w")
    from.on("data", (bytes) => {
      writeSync(file, bytes)
      to.write(bytes)
    })
    from.on("end", () => to.end())
    from.on("error", () => to.destroy())
    from.on("close", () => to.destroySoon())
  }
  pass(client, onwards, "up")
  pass(onwards, client, "down")
})
server.listen(0, "127.0.0.1", () => process.stdout.write(`${server.address().port}\n`))
