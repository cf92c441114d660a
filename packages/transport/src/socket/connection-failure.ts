import { explain, Unreachable, type Stage } from "@entente/protocol"
import { firstCause, reasonOf } from "../http/unreachable.js"

interface Failing {
  readonly words: string
  readonly hint: string
}

const start = "Start the server, or check where it listens."

/** What the system's codes mean where nothing but a socket is between the two sides. */
const failings: Readonly<Record<string, Failing>> = {
  ENOENT: { words: "there is no such socket (ENOENT)", hint: start },
  ECONNREFUSED: {
    words: "nothing listens there (ECONNREFUSED)",
    hint: "Start the server. A socket file may be left over from one that has ended.",
  },
  EACCES: {
    words: "this user may not open it (EACCES)",
    hint: "Run as the user or group the socket belongs to, or change who may write to it.",
  },
  EPERM: {
    words: "this user may not open it (EPERM)",
    hint: "Run as the user or group the socket belongs to, or change who may write to it.",
  },
  ENOTSOCK: { words: "it is no socket (ENOTSOCK)", hint: "Give the path of the server's socket." },
}

/** Why there is no connection, or no longer one. */
export const connectionFailure = (
  target: string,
  cause: unknown,
  stage: Extract<Stage, "open" | "request">,
): Unreachable => {
  const first = firstCause(cause)
  const code = first instanceof Error && "code" in first ? String(first.code) : ""
  const known = Object.hasOwn(failings, code) ? failings[code] : undefined
  const begin = stage === "open" ? `No connection to ${target}` : "The connection broke off"
  const what = `${begin}: ${known?.words ?? reasonOf(first)}.`
  return new Unreachable({ ...explain("unreachable", stage, target, what, known?.hint), cause })
}
