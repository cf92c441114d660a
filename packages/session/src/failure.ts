import {
  AuthorizationRequired,
  explain,
  HttpRejected,
  PeerError,
  ProtocolViolation,
  RequestTimeout,
  type Attempt,
  type EntenteError,
} from "@entente/protocol"
import { outcomeOf, type Answer } from "./answer.js"
import { plainText } from "./plain-text.js"

const bodyLimit = 2_000

type Refused = Answer & { readonly _tag: "Status" | "Error" }

const asAuthorization = (answer: Refused, status: 401 | 403, target: string) =>
  new AuthorizationRequired({
    ...explain(
      status === 401 ? "authorization-required" : "forbidden",
      "negotiate",
      target,
      `The server answered with ${outcomeOf(answer)}.`,
    ),
    status,
    challenges: [],
  })

/** An answer that was no success, as the error it is by itself. */
export const failureOf = (answer: Answer, method: string, target: string): EntenteError => {
  if (answer._tag === "Status" || answer._tag === "Error") {
    if (answer.status === 401 || answer.status === 403) {
      return asAuthorization(answer, answer.status, target)
    }
  }
  switch (answer._tag) {
    case "Invalid":
    case "Gone":
    case "Unauthorized":
      return answer.error
    case "Status":
      return new HttpRejected({
        ...explain(
          "http-status",
          "negotiate",
          target,
          `${method} was answered with ${outcomeOf(answer)}.`,
        ),
        status: answer.status,
        body: plainText(answer.text, bodyLimit),
      })
    case "Result":
      return new ProtocolViolation(
        explain(
          "invalid-result",
          "negotiate",
          target,
          `${method} was answered with ${outcomeOf(answer)}, which is not its result.`,
        ),
      )
    case "Silence":
      return new RequestTimeout({
        ...explain(
          "timeout",
          "negotiate",
          target,
          `${method} was not answered within ${answer.afterMs} ms.`,
        ),
        method,
        timeoutMs: answer.afterMs,
      })
    case "Error":
      return new PeerError({
        ...explain(
          "peer-error",
          "negotiate",
          target,
          `${method} was answered with ${outcomeOf(answer)}.`,
        ),
        method,
        rpcCode: answer.error.code,
        rpcMessage: plainText(answer.error.message, bodyLimit),
        data: answer.error.data,
        ...(answer.status === undefined ? {} : { status: answer.status }),
      })
  }
}

/**
 * The same error with everything that was tried, and with the first failure as its cause unless it is
 * that failure itself.
 */
export const withAttempts = <E extends EntenteError>(
  error: E,
  attempts: ReadonlyArray<Attempt>,
  first: EntenteError | undefined,
): E => {
  // Every member of the union is built from exactly its own fields; `message` and `cause` are spelled
  // out because they are not enumerable.
  const Same = error.constructor as new (fields: object) => E
  const cause = first === undefined || first === error ? error.cause : first
  return new Same({
    ...error,
    message: error.message,
    attempts,
    ...(cause === undefined ? {} : { cause }),
  })
}
