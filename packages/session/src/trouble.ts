import type { Answer, Dialect } from "./answer.js"

/**
 * What says nothing about the era of a server:
 * - `unauthorized`: it wants other credentials first (401, 403);
 * - `outage`: it is out of order or busy, and may not be in a moment (5xx, 408, 429);
 * - `rejected`: the request as such cannot pass (3xx, 407, 413, 431, or our own input or strictness is
 *   at fault), or nothing that the server sends can be read;
 * - `unreachable`: the network failed;
 * - `gone`: the process, or the one stream that everything uses, ended.
 */
export type Trouble = (typeof troubles)[number]

const troubles = ["unauthorized", "outage", "rejected", "unreachable", "gone"] as const

/** The reading of an answer, if it is a trouble. */
export const troubleIn = (reading: string): Trouble | undefined =>
  troubles.find((trouble) => trouble === reading)

// T-08, V26-HDR-14, C028. Any other 4xx, and any 2xx that gets here, does say something.
const byStatus: Readonly<Record<number, Trouble>> = {
  401: "unauthorized",
  403: "unauthorized",
  407: "rejected",
  408: "outage",
  413: "rejected",
  429: "outage",
  431: "rejected",
}

// What cannot be sent, what is not tolerated, what is in no recording and a framing that cannot be read get no better by trying again.
const neverPasses: ReadonlySet<string> = new Set([
  "InvalidInput",
  "NotTolerated",
  "ProtocolViolation",
  "ReplayDiverged",
])

const statusTrouble = (status: number): Trouble | undefined => {
  if (status >= 500) return "outage"
  return status >= 300 && status < 400 ? "rejected" : byStatus[status]
}

/** The trouble an answer tells of, if any. Silence is left to the caller: its meaning differs. */
export const troubleOf = (answer: Answer, dialect: Dialect): Trouble | undefined => {
  switch (answer._tag) {
    case "Unauthorized":
      return "unauthorized"
    case "Gone":
      if (neverPasses.has(answer.error._tag)) return "rejected"
      return dialect === "stream" ? "gone" : "unreachable"
    case "Status":
      return statusTrouble(answer.status)
    case "Error":
      return answer.status === undefined ? undefined : statusTrouble(answer.status)
    default:
      return undefined
  }
}
