import { memoryVerdicts } from "@entente/client"
import type { JsonObject } from "@entente/protocol"
import { openCatalog, type CatalogChange, type CatalogOptions } from "@entente/catalog"
import type { PromiseCatalog, ServerSpec, ServerState, ToolsChange } from "@entente/catalog"
import { legacyServer, notification, tool, withRules, type Peer, type Rule } from "@entente/testkit"
import type { Transport } from "@entente/transport"

/** The list of tools from now on. */
export const lists = (...tools: ReadonlyArray<string | JsonObject>): Rule => ({
  when: { method: "tools/list" },
  reply: [
    { result: { tools: tools.map((each) => (typeof each === "string" ? tool(each) : each)) } },
  ],
})

/** A legacy server that tells of changes, and whose list `lists` can change. */
export const changeable = (...tools: ReadonlyArray<string>) =>
  withRules(
    legacyServer({
      tools: tools.map((name) => tool(name)),
      capabilities: { tools: { listChanged: true } },
    }),
  )

export const listChanged = notification("notifications/tools/list_changed")

/** Changes the list of a server, which says so. */
export const edit = (peer: Peer, ...tools: ReadonlyArray<string | JsonObject>): void => {
  peer.add(lists(...tools))
  peer.send(listChanged)
}

/** A server with a memory of its own for eras, so that no test knows what another one has learnt. */
export const alone = (
  transport: Transport,
  spec: Omit<ServerSpec, "transport"> = {},
): ServerSpec => ({
  transport,
  ...spec,
  connect: { verdicts: memoryVerdicts(), ...spec.connect },
})

export const ids = (catalog: PromiseCatalog): ReadonlyArray<string> =>
  catalog.tools.tools.map(({ id }) => id)

/** Opens a catalog of transports. */
export const openedCatalog = (
  transports: Readonly<Record<string, Transport | ServerSpec>>,
  options?: CatalogOptions,
): Promise<PromiseCatalog> => {
  const servers = Object.entries(transports).map(([id, given]) => {
    const { transport, ...spec } = "transport" in given ? given : { transport: given }
    return [id, alone(transport, spec)] as const
  })
  return openCatalog(Object.fromEntries(servers), options)
}

/** Waits for a change that is of interest; those before it pass. */
export const changeThat = async (
  changes: AsyncIterable<CatalogChange>,
  wanted: (change: CatalogChange) => boolean,
): Promise<CatalogChange> => {
  for await (const change of changes) if (wanted(change)) return change
  throw new Error("The catalog has ended")
}

/** Waits until a server stands in a certain way. */
export const standing = async (
  catalog: PromiseCatalog,
  server: string,
  ...states: ReadonlyArray<ServerState>
): Promise<void> => {
  const stands = (): boolean => states.includes(catalog.server(server)?.status.state as ServerState)
  const iterator = catalog.changes[Symbol.asyncIterator]()
  let next = iterator.next()
  while (!stands()) {
    await next
    next = iterator.next()
  }
  await iterator.return?.()
}

/** Waits for the next change of the tools of a server. */
export const toolsChange = async (
  catalog: PromiseCatalog,
  server: string,
): Promise<ToolsChange> => {
  for await (const change of catalog.changes) {
    if (change.kind === "tools" && change.server === server) return change
  }
  throw new Error("The catalog has ended")
}
