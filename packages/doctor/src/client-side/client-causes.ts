import type { ClientView } from "../context.js"
import { exposure } from "../exposure.js"
import { overCap } from "./cap-cause.js"
import type { ClientCause } from "./cause.js"
import { allowListed, denyListed, emptyAllowList, namesNothing } from "./filter-causes.js"
import { switchedOff, troubled } from "./server-causes.js"

/**
 * What in a client's configuration can be why its model does not have the tools of a server, the likeliest first.
 * Without `offered` nobody has asked the server yet, and its tools cannot be compared with lists.
 *
 * @example
 * clientCauses(view, ["read_file", "write_file"])[0]?.code // "allow-list-hides-tools"
 */
export const clientCauses = (
  view: ClientView,
  offered?: ReadonlyArray<string>,
): ReadonlyArray<ClientCause> => {
  const ofServer = [...switchedOff(view), ...troubled(view)]
  const ofTools = (tools: ReadonlyArray<string>) => {
    const seen = exposure(view, tools)
    return [allowListed, denyListed, namesNothing, overCap].flatMap((rule) => rule(view, seen))
  }
  // A server without tools is no matter of lists, and an unknown one only where a list allows nothing.
  const ofLists =
    offered === undefined ? emptyAllowList(view) : offered.length === 0 ? [] : ofTools(offered)
  return [...ofServer, ...ofLists].toSorted((one, other) => other.confidence - one.confidence)
}
