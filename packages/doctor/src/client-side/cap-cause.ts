import type { ClientView } from "../context.js"
import type { Exposure } from "../exposure.js"
import { clientCause, type ClientCause } from "./cause.js"
import { counted, listsTools, shown } from "./wording.js"

/** There are more tools than the client hands to its model. */
export const overCap = (
  { kind, title, server, cap }: ClientView,
  { exposed, hidden }: Exposure,
): ReadonlyArray<ClientCause> => {
  if (cap === undefined) return []
  const handedOn = exposed.length + hidden.filter(({ why }) => why === "over-cap").length
  const all = handedOn + (cap.others ?? 0)
  if (handedOn === 0 || all <= cap.limit) return []
  const others = cap.others === undefined || cap.others === 0 ? "" : ` and ${cap.others} of others`
  const takes = cap.doubtful === true ? "is said to take" : "takes"
  return [
    clientCause({
      code: "tool-cap-exceeded",
      confidence: cap.doubtful === true ? 0.4 : 0.9,
      title: `${title} ${takes} ${cap.limit} tools at most, and there are ${counted(handedOn, "tool")} of ${shown(server)}${others} (${cap.where}).`,
      expected: `All servers of ${title} together have no more than ${cap.limit} tools that are switched on.`,
      fix: {
        server: "Offer fewer tools, or let users choose groups of them.",
        proxy: "Let it hand on a part of the tools only, or search among them.",
        client: `Switch off tools or servers in ${title} that are not needed here.`,
      },
      next: listsTools(server, kind),
    }),
  ]
}
