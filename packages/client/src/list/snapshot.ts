import * as Effect from "effect/Effect"
import type { ConnectionClosed, JsonObject, Quarantined } from "@entente/protocol"
import type { Connection } from "../call/connection.js"
import type { ListReason } from "./list-reason.js"
import type { ListOptions } from "./list.js"
import type { Listing } from "./listing.js"
import type { CountedNote } from "../wire/note-book.js"

/** The four lists of a server, by the names they have in a snapshot. */
export type ListName = "tools" | "prompts" | "resources" | "templates"

/** One list in a snapshot. */
export interface SnapshotList {
  readonly status: Listing<unknown>["status"]
  readonly pages: number
  /** What the server sent, unchanged. */
  readonly items: ReadonlyArray<unknown>
  readonly quarantined: ReadonlyArray<Quarantined>
  readonly reason?: ListReason
}

/** Everything a server shows, in a form that survives JSON. */
export interface Snapshot {
  readonly target: string
  readonly transport: string
  readonly era: "legacy" | "modern"
  readonly protocolVersion: string
  /** What the server says it is: untrusted, for display only (V26-META-08). */
  readonly server: { readonly name: string; readonly version: string }
  readonly capabilities: JsonObject
  readonly lists: { readonly [Name in ListName]: SnapshotList }
  readonly notes: ReadonlyArray<CountedNote>
  readonly timings: {
    readonly openMs: number
    readonly negotiateMs: number
    readonly listMs: number
  }
  /** JSON-RPC requests sent since the connection was opened. */
  readonly requests: number
}

export interface SnapshotOptions {
  readonly onPage?: (progress: {
    readonly list: ListName
    readonly pages: number
    readonly items: number
  }) => void
}

/** Reads all four lists side by side; each fails alone. */
export const snapshotOf = (
  client: Snapshotted,
  options: SnapshotOptions = {},
): Effect.Effect<Snapshot, ConnectionClosed> =>
  Effect.gen(function* () {
    const { life } = client.connection
    const startedAt = life.timers.now()
    const read = (list: ListName, source: Readable) =>
      Effect.map(
        source.list({ onPage: (progress) => options.onPage?.({ list, ...progress }) }),
        snapshotList,
      )
    const lists = yield* Effect.all(
      {
        tools: read("tools", client.tools),
        prompts: read("prompts", client.prompts),
        resources: read("resources", client.resources),
        templates: read("templates", client.resources.templates),
      },
      { concurrency: "unbounded" },
    )
    return {
      target: client.target,
      transport: client.transport,
      era: client.era,
      protocolVersion: client.protocolVersion,
      server: client.server,
      capabilities: client.capabilities,
      lists,
      notes: client.notes,
      timings: { ...life.timings, listMs: life.timers.now() - startedAt },
      requests: life.wire.requests.issued,
    }
  })

/** What a snapshot is taken of. */
interface Snapshotted
  extends
    Pick<Snapshot, "target" | "transport" | "era" | "protocolVersion" | "server">,
    Pick<Snapshot, "capabilities" | "notes"> {
  readonly connection: Connection
  readonly tools: Readable
  readonly prompts: Readable
  readonly resources: Readable & { readonly templates: Readable }
}

/** Any of the four lists. */
interface Readable {
  readonly list: (options: ListOptions) => Effect.Effect<Listing<unknown>, ConnectionClosed>
}

const snapshotList = (listing: Listing<unknown>): SnapshotList => ({
  status: listing.status,
  pages: listing.pages,
  items: listing.items,
  quarantined: listing.quarantined,
  ...(listing.reason === undefined ? {} : { reason: listing.reason }),
})
