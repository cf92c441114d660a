import type { ClientView } from "@entente/doctor"
import { clients } from "@entente/catalog/config"
import { chosenServers } from "../catalog-servers.js"
import { readClient } from "../client-flag.js"
import type { Io } from "../io.js"
import { shortPath, surroundingsOf } from "../surroundings.js"

/** How a client is set up for each of its servers, or for one of them. */
export const clientContexts = async (
  client: string,
  name: string | undefined,
  io: Io,
): Promise<ReadonlyArray<ClientView>> => {
  const kind = readClient(client, "client")
  const around = surroundingsOf(io)
  const { chosen, faults } = await chosenServers({ config: undefined, from: kind }, io)
  return chosen
    .filter(({ server: { id } }) => name === undefined || id === name)
    .map(({ server: { id, disabled, allow, deny, from } }) => {
      const where = shortPath(from.path ?? "", around)
      return {
        kind,
        title: clients[kind].title,
        server: id,
        ...(disabled ? { disabledBy: where } : {}),
        ...(allow === undefined ? {} : { allow: { names: allow, where } }),
        ...(deny.length === 0 ? {} : { deny: { names: deny, where } }),
        troubles: faults
          .filter((fault) => fault.server === id)
          .map(({ code, severity, message }) => ({ code, severity, message, where })),
      }
    })
}
