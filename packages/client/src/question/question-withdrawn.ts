import * as Data from "effect/Data"
import { excerpt } from "@entente/transport"

/** Why the signal of a handler was aborted: nobody waits for its answer any more. */
export class QuestionWithdrawn extends Data.TaggedError("QuestionWithdrawn")<{
  readonly message: string
}> {
  /** @param why what the server said about it, if it was the server: untrusted text. */
  constructor(why?: string) {
    super({
      message:
        why === undefined
          ? "Nobody waits for the answer any more"
          : `The server took its question back: ${excerpt(why)}`,
    })
  }
}
