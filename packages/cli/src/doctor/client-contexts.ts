import type { ClientView } from "@entente/doctor"
import { readClient } from "../client-flag.js"
import { clientViews } from "../client-view.js"
import type { Io } from "../io.js"
import { oneLine } from "../render/visible-text.js"
import { surroundingsOf } from "../surroundings.js"

/** How a client is set up for each of its servers, or for one of them; what is wrong with whole files is told. */
export const clientContexts = (
  client: string,
  name: string | undefined,
  io: Io,
): ReadonlyArray<ClientView> => {
  const kind = readClient(client, "client")
  const { views, troubles } = clientViews(kind, surroundingsOf(io), name)
  for (const { severity, message, where } of troubles) {
    const place = where === undefined ? "" : ` (${where})`
    if (severity !== "note") io.stderr.write(`warning: ${oneLine(`${message}${place}`)}\n`)
  }
  return views
}
