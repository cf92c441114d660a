import type { Readable, Writable } from "node:stream"

/** What looks at a copy of the bytes. */
export interface Copy {
  /** The next bytes; they have been handed on already. */
  readonly chunk: (bytes: Uint8Array) => void
  /** The bytes of the oldest chunk that is not settled have been written, or never will be. */
  readonly settled?: (failed: boolean) => void
  /** No more bytes come. */
  readonly end: (how: EndOfBytes) => void
}

/** Looks at nothing. */
export const noCopy: Copy = { chunk: () => {}, end: () => {} }

/** The writer has ended, or broke off; or the reader is gone. */
export type EndOfBytes = "ended" | "cut-off" | "left"

export interface RelayOptions {
  readonly from: Readable
  readonly to: Writable
  readonly copy: Copy
  /** The writer broke off. Default: that is an end like any other. */
  readonly cutOff?: () => void
  /** The reader is gone. Default: `from` is destroyed, so that its writer learns of it. */
  readonly left?: () => void
  /** Others write to it too: it is not ended. */
  readonly staysOpen?: true
  /** What looks at the copy has failed, and sees nothing from now on. */
  readonly blind: (cause: unknown) => void
}

/**
 * Hands bytes on exactly as they come, and no faster than they are taken. What looks at the copy comes
 * after the bytes have gone on, and cannot hold them back or change them. Settles when everything that
 * came is written, or nobody is left to write to.
 */
export const relay = (options: RelayOptions): Promise<void> =>
  new Promise((resolve) => {
    const { from, to, copy, blind } = options
    const close = (): void => {
      if (!to.destroyed && options.staysOpen !== true) to.end()
    }
    const { cutOff = close, left = (): void => void from.destroy() } = options
    let unsettled = 0
    let ended = false
    let over = false
    let seeing = true
    let gone = false
    const look = (see: () => void): void => {
      if (!seeing) return
      try {
        see()
      } catch (cause) {
        seeing = false
        blind(cause)
      }
    }
    const finish = (): void => {
      if (over || !ended || unsettled > 0) return
      over = true
      resolve()
    }
    const end = (how: "ended" | "cut-off"): void => {
      if (ended) return
      ended = true
      if (!gone) (how === "ended" ? close : cutOff)()
      // After the end has gone on: an answer in one piece is read only now.
      look(() => copy.end(gone ? "left" : how))
      finish()
    }
    from.on("data", (bytes: Uint8Array) => {
      if (to.destroyed) return
      unsettled += 1
      const ready = to.write(bytes, (error) => {
        unsettled -= 1
        // Node reports no error for a write that was cut short because the stream was destroyed.
        look(() => copy.settled?.(error instanceof Error || to.destroyed))
        finish()
      })
      if (!ready) from.pause()
      look(() => copy.chunk(bytes))
    })
    to.on("drain", () => from.resume())
    from.on("end", () => end("ended"))
    for (const event of ["error", "close"] as const) from.on(event, () => end("cut-off"))
    const leave = (): void => {
      if (gone || ended) return
      gone = true
      // What still comes is for nobody.
      from.resume()
      left()
    }
    for (const event of ["error", "close"] as const) to.on(event, leave)
  })
