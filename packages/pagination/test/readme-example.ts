import { collect, paginate } from "@entente/pagination"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"

interface User {
  readonly id: string
  readonly name: string
}

/** Any API with cursors: one request per page, stopped by the signal. */
const listUsers = (origin: string) => (cursor: string | undefined) =>
  Effect.tryPromise(async (signal) => {
    const address = new URL("/users", origin)
    if (cursor !== undefined) address.searchParams.set("cursor", cursor)
    const response = await fetch(address, { signal })
    const body = (await response.json()) as { readonly users: ReadonlyArray<User>; next?: string }
    return { items: body.users, nextCursor: body.next }
  })

/** Reads as many pages as it takes to find three users, and not one more. */
export const firstThree = (origin: string) =>
  paginate(listUsers(origin), { identify: (user) => user.id }).items.pipe(
    Stream.take(3),
    Stream.runCollect,
    Effect.runPromise,
  )

/** Reads them all; what stops the walk early is a value, not an exception. */
export const everyone = (origin: string) =>
  collect(listUsers(origin), { identify: (user) => user.id, deadline: "10 seconds" }).pipe(
    Effect.map((walk) =>
      walk.status === "complete"
        ? `${walk.items.length} users`
        : `${walk.items.length} users so far: ${walk.reason.message}`,
    ),
    Effect.runPromise,
  )
