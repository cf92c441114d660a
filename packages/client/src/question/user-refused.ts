import * as Data from "effect/Data"

/**
 * The person said no, or the host did for them: throw it, reject or fail with it in a handler. An
 * elicitation becomes `decline`; sampling and roots are refused with -1 (V25-SAMP-03), and a modern
 * request that needed them is given up (V26-SAMP-11).
 *
 * @example
 * sampling: async (params) => {
 *   if (!(await agreed(params))) throw new UserRefused()
 *   return model(params)
 * }
 */
export class UserRefused extends Data.TaggedError("UserRefused")<{ readonly message: string }> {
  constructor(message = "The user refused") {
    super({ message })
  }
}

/** By its tag, because a program may hold two copies of this package. */
export const isUserRefused = (reason: unknown): boolean =>
  typeof reason === "object" && reason !== null && "_tag" in reason && reason._tag === "UserRefused"
