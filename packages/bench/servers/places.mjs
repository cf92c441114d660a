// The servers of one run: an id, the way to each, and whether tools are to be expected of it.
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createServer } from "node:net"
import { fileURLToPath } from "node:url"
import { memoryVerdicts } from "@entente/client"
import { memoryPeer } from "@entente/testkit"
import { http } from "@entente/transport"
import { stdio } from "@entente/transport/stdio"
import { mixture, scriptOf, useful } from "./kinds.mjs"

const file = (name) => fileURLToPath(new URL(name, import.meta.url))

const startHttp = async () => {
  const child = spawn(process.execPath, [file("http-servers.mjs")], {
    stdio: ["pipe", "pipe", "inherit"],
  })
  const [addresses] = await once(child.stdout.setEncoding("utf8"), "data")
  const close = async () => {
    child.stdin.end()
    await once(child, "exit")
  }
  return { urls: new Map(JSON.parse(addresses)), close }
}

/** A port where nobody listens. */
const deadPort = async () => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const { port } = server.address()
  server.close()
  return port
}

/** All of them; `without` leaves one out. */
export const places = async (without) => {
  const { urls, close } = await startHttp()
  const port = await deadPort()
  const transports = {
    stdio: (_, kind, era) =>
      kind === "absent"
        ? stdio({ command: "no-such-command-anywhere" })
        : stdio({ command: process.execPath, args: [file("stdio-server.mjs"), kind, era] }),
    http: (id, kind) => http(kind === "dead" ? `http://127.0.0.1:${port}/mcp` : urls.get(id)),
    memory: (_, kind, era) => memoryPeer(scriptOf(kind, era)).transport,
  }
  const verdicts = memoryVerdicts()
  const servers = mixture.flatMap(([over, kind, era, count]) =>
    Array.from({ length: count }, (_, index) => {
      const id = `${over}-${kind}-${era}-${index}`
      const spec = {
        transport: transports[over](id, kind, era),
        connect: { verdicts },
        tags: [kind],
      }
      return { id, over, kind, spec, expected: kind in useful }
    }),
  )
  return { servers: shuffled(servers).filter(({ id }) => id !== without), close }
}

/** The same order every time, with the kinds among each other. */
const shuffled = (servers) => {
  let state = 5
  const next = () => {
    state = (state * 48_271) % 2_147_483_647
    return state
  }
  return servers
    .map((server) => ({ server, at: next() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ server }) => server)
}
