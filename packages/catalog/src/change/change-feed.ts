import type * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import * as Stream from "effect/Stream"
import type { CatalogServer } from "../server/catalog-server.js"
import type { ServerState, ServerStatus } from "../server/server-status.js"
import type { CatalogTool } from "../tool/catalog-tool.js"
import type { CatalogChange } from "./catalog-change.js"
import { toolDiff } from "./tool-diff.js"

/** What changes are told of. */
export interface Watched {
  readonly servers: Iterable<CatalogServer>
  readonly statusOf: (server: CatalogServer) => ServerStatus
  readonly version: () => number
}

interface Seen {
  readonly state: ServerState
  readonly tools: ReadonlyArray<CatalogTool>
}

const glance = (server: CatalogServer): Seen => ({
  state: server.state,
  tools: server.tools.tools,
})

/**
 * One reader of changes, who is told what has become of each server since the last look. So a slow one loses
 * nothing and keeps nothing waiting: what happened in between has become one change.
 */
class ChangeReader {
  readonly #watched: Watched
  readonly #seen: Map<CatalogServer, Seen>

  constructor(watched: Watched) {
    this.#watched = watched
    this.#seen = new Map([...watched.servers].map((server) => [server, glance(server)]))
  }

  take(): ReadonlyArray<CatalogChange> {
    const { statusOf, version } = this.#watched
    const changes: Array<CatalogChange> = []
    for (const [server, before] of this.#seen) {
      const now = glance(server)
      this.#seen.set(server, now)
      const { id } = server
      if (now.state !== before.state) {
        const status = statusOf(server)
        changes.push({ kind: "status", server: id, before: before.state, status })
      }
      if (now.tools !== before.tools) {
        const diff = toolDiff(before.tools, now.tools)
        changes.push({ kind: "tools", server: id, version: version(), ...diff })
      }
    }
    return changes
  }
}

/** Rings for its reader that something has changed, and that nothing will any more. */
export interface Bell {
  readonly ring: () => void
  readonly end: () => void
}

/** The changes from now on. `hang` is given a bell, and gives what takes it down again. */
export const changeFeed = (
  watched: Watched,
  hang: (bell: Bell) => () => void,
): Stream.Stream<CatalogChange> =>
  Stream.unwrap(
    Effect.gen(function* () {
      const rung = yield* Queue.sliding<void, Cause.Done>(1)
      const reader = new ChangeReader(watched)
      yield* Effect.acquireRelease(
        Effect.sync(() =>
          hang({
            ring: () => Queue.offerUnsafe(rung, undefined),
            end: () => Queue.endUnsafe(rung),
          }),
        ),
        (takeDown) => Effect.sync(takeDown),
      )
      return Stream.flatMap(Stream.fromQueue(rung), () =>
        Stream.suspend(() => Stream.fromIterable(reader.take())),
      )
    }),
  )
