// Entente, as its README shows it.
import { connect, memoryVerdicts } from "@entente/client"
import { http, httpSse, webSocket } from "@entente/transport"
import { stdio } from "@entente/transport/stdio"
import { clientLimit } from "../limits.mjs"

const timeouts = { connect: clientLimit, endpoint: clientLimit }

const transports = {
  stdio: ({ command, args }) => stdio({ command, args }),
  http: ({ url }) => http(url, { timeouts }),
  sse: ({ url }) => httpSse(url, { timeouts }),
  ws: ({ url }) => webSocket(url, { timeouts }),
}

export const create = (target) => {
  let client
  const states = []
  const listed = async (options) => {
    const { status, items, quarantined, reason } = await client.tools.list(options)
    return { status, items, quarantined, ...(reason && { reason }) }
  }
  return {
    connect: async () => {
      client = await connect(transports[target.kind](target), {
        timeoutMs: clientLimit,
        handshakeMs: clientLimit,
        verdicts: memoryVerdicts(), // nothing learnt from another cell
        keepAlive: { intervalMs: 700 },
      })
      client.onState((state) => states.push(state))
      return { era: client.era, revision: client.protocolVersion }
    },
    list: () => listed({}),
    again: () => listed({ refresh: true }),
    call: () => client.callTool({ name: "echo", arguments: { text: "hello" } }),
    standing: () => ({
      states,
      listening: client?.listening,
      last: client?.tools.last?.items.map(({ name }) => name),
      stale: client?.tools.last?.stale,
    }),
    notes: () => client?.notes.map(({ code, count }) => ({ code, count })) ?? [],
    close: async () => client?.close(),
    nameOf: ({ _tag, name, code }) =>
      `${_tag ?? name ?? "error"}${code === undefined ? "" : ` ${code}`}`,
  }
}
