import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Queue from "effect/Queue"
import type * as Scope from "effect/Scope"
import * as Stream from "effect/Stream"
import type { EntenteError } from "@entente/protocol"
import type { Life } from "./life/life.js"
import { whenOver } from "./life/when-over.js"
import type { Listeners } from "./wire/listeners.js"
import type { NoteBook } from "./wire/note-book.js"

/** How many values a slow reader may be behind before the oldest are dropped. */
const bufferSize = 1_024

type Mailbox<Value, Failure> = Queue.Queue<Value, Failure | Cause.Done>

/**
 * Feeds one reader, who loses the oldest values where it is too slow: noted when that begins, and once more
 * with their number when the reader has caught up or is gone.
 */
class Feed<Value, Failure> {
  #dropped = 0
  readonly #queue: Mailbox<Value, Failure>
  readonly #notes: NoteBook
  readonly #what: string

  constructor(queue: Mailbox<Value, Failure>, notes: NoteBook, what: string) {
    this.#queue = queue
    this.#notes = notes
    this.#what = what
  }

  readonly put = (value: Value): void => {
    if (!Queue.isFullUnsafe(this.#queue)) this.settle()
    else if (this.#dropped++ === 0) this.#note(`a reader is ${bufferSize} behind`)
    Queue.offerUnsafe(this.#queue, value)
  }

  /** What has come is still read; nothing more comes. */
  readonly end = (failure?: Failure): void => {
    if (failure === undefined) Queue.endUnsafe(this.#queue)
    else Queue.failCauseUnsafe(this.#queue, Cause.fail(failure))
  }

  /** The reader has caught up, or is gone. */
  settle(): void {
    if (this.#dropped > 1) this.#note(`a reader has lost ${this.#dropped}`)
    this.#dropped = 0
  }

  #note(detail: string): void {
    this.#notes.add({ code: "notifications-dropped", detail: `${this.#what}: ${detail}` })
  }
}

/** A stream that is fed for as long as it is read; `what` names it in notes. */
const fed = <Value, Failure>(
  notes: NoteBook,
  what: string,
  begin: (feed: Feed<Value, Failure>) => Effect.Effect<unknown, Failure, Scope.Scope>,
): Stream.Stream<Value, Failure> =>
  Stream.callback<Value, Failure>(
    (queue) =>
      Effect.gen(function* () {
        const feed = new Feed(queue, notes, what)
        yield* Effect.addFinalizer(() => Effect.sync(() => feed.settle()))
        yield* begin(feed)
      }),
    { bufferSize, strategy: "sliding" },
  )

/** Holds what begins something, and stops it with the scope. */
const held = (begin: () => () => void): Effect.Effect<unknown, never, Scope.Scope> =>
  Effect.acquireRelease(Effect.sync(begin), (stop) => Effect.sync(stop))

/** What listeners hear from now on; ends with the connection. */
export const watch = <Value>(
  life: Life,
  what: string,
  listeners: () => Listeners<Value>,
): Stream.Stream<Value> =>
  fed<Value, never>(life.notes, what, (feed) =>
    Effect.andThen(
      held(() => listeners().add(feed.put)),
      held(() => whenOver(life, () => feed.end())),
    ),
  )

/** A value that changes: as it is, then each change, up to the last one. */
export const watchState = <Value>(
  life: Life,
  what: string,
  changed: Listeners<Value>,
  now: () => Value,
  isLast: (value: Value) => boolean,
): Stream.Stream<Value> =>
  fed<Value, never>(life.notes, what, (feed) =>
    held(() => {
      const take = (value: Value): void => {
        feed.put(value)
        if (isLast(value)) feed.end()
      }
      take(now())
      return changed.add(take)
    }),
  )

/**
 * What a subscription hears: it begins when the stream is read and is over when it is not read any more.
 * Ends when the connection is closed, and fails when it fails.
 */
export const watchSubscription = <Value>(
  life: Life,
  what: string,
  subscribe: (
    listener: (value: Value) => void,
    done: (error: EntenteError | undefined) => void,
  ) => () => void,
): Stream.Stream<Value, EntenteError> =>
  fed<Value, EntenteError>(life.notes, what, (feed) => {
    let stop = (): void => {}
    const agreed = Effect.callback<void, EntenteError>((resume) => {
      stop = subscribe(feed.put, (error) =>
        resume(error === undefined ? Effect.void : Effect.fail(error)),
      )
    })
    return Effect.addFinalizer(() => Effect.sync(() => stop())).pipe(
      Effect.andThen(agreed),
      Effect.andThen(held(() => whenOver(life, feed.end))),
    )
  })

/** A value of which only the newest matters: a slow reader misses what is between. Ends and fails with the connection. */
export const watchNewest = <Value>(
  life: Life,
  begin: (put: (value: Value) => void) => () => void,
): Stream.Stream<Value, EntenteError> =>
  Stream.callback<Value, EntenteError>(
    (queue) =>
      Effect.andThen(
        held(() => begin((value) => Queue.offerUnsafe(queue, value))),
        held(() =>
          whenOver(life, (failure) => {
            if (failure === undefined) Queue.endUnsafe(queue)
            else Queue.failCauseUnsafe(queue, Cause.fail(failure))
          }),
        ),
      ),
    { bufferSize: 1, strategy: "sliding" },
  )
