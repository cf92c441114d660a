import { closeSync, openSync } from "node:fs"
import { devNull } from "node:os"
import type { Readable, Writable } from "node:stream"

/** The three streams of the client: what the server would have been given. */
export interface ClientStreams {
  readonly input: Readable
  readonly output: Writable
  readonly errors: Writable
}

const stdoutDescriptor = 1

/**
 * The streams of this process. Node never closes stdout, so a client that waits for its end would not
 * learn that the server has closed it: the descriptor is closed here, and its number kept from others.
 */
export const ownStreams = (): ClientStreams => {
  process.stdout.once("finish", () => {
    try {
      closeSync(stdoutDescriptor)
      // The lowest number that is free is the one just closed.
      openSync(devNull, "w")
    } catch {
      // Somebody was faster: then it is closed.
    }
  })
  return { input: process.stdin, output: process.stdout, errors: process.stderr }
}
