// How both doors of Entente reach a target.
import { http } from "@entente/transport"
import { stdio } from "@entente/transport/stdio"

export const transportTo = (target) =>
  target.transport === "stdio"
    ? stdio({ command: target.command, args: target.args })
    : http(target.url)
