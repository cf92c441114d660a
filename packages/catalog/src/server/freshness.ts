import type { Client } from "@entente/client"

/** Whether the server says by itself when its tools change, on a channel that is open. */
export const tellsOfChanges = ({ subscriptions, capabilities }: Client.Client): boolean => {
  const { filter } = subscriptions
  if (filter !== "everything") return filter?.toolsListChanged === true
  const { tools } = capabilities
  return (
    typeof tools === "object" &&
    tools !== null &&
    "listChanged" in tools &&
    tools.listChanged === true
  )
}
