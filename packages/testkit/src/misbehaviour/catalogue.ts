import { delays } from "./delays.js"
import { envelopes } from "./envelopes.js"
import { eras } from "./eras.js"
import { framing } from "./framing.js"
import { handshake } from "./handshake.js"
import { headers } from "./headers.js"
import { httpSse } from "./http-sse.js"
import { listening } from "./listening.js"
import { lists } from "./lists.js"
import type { Misbehaviour } from "./misbehaviour.js"
import { pagination } from "./pagination.js"
import { processes } from "./processes.js"
import { sessions } from "./sessions.js"
import { sizes } from "./sizes.js"
import { statuses } from "./statuses.js"
import { streams } from "./streams.js"
import { webSockets } from "./web-sockets.js"

/** The catalogue, group by group. */
export const misbehaviourGroups: Readonly<Record<string, ReadonlyArray<Misbehaviour>>> = {
  handshake,
  eras,
  pagination,
  lists,
  envelopes,
  delays,
  sizes,
  sessions,
  listening,
  streams,
  statuses,
  headers,
  framing,
  processes,
  "HTTP+SSE": httpSse,
  WebSocket: webSockets,
}

/** Every misbehaviour there is, by groups. */
export const misbehaviours: ReadonlyArray<Misbehaviour> = Object.values(misbehaviourGroups).flat()
