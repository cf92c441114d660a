// A misbehaving server as the doctor reaches it.
import { http, httpSse, webSocket } from "@entente/transport"
import { stdio } from "@entente/transport/stdio"

const openers = {
  stdio: ({ command, args }) => stdio({ command, args }),
  http: ({ url }) => http(url),
  sse: ({ url }) => httpSse(url),
  ws: ({ url }) => webSocket(url),
}

export const patientOf = (target) => ({ transport: () => openers[target.kind](target) })
