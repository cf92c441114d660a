import { isJsonObject, provesModern, rpcCode, type JsonObject } from "@entente/protocol"
import type { Answer, Dialect } from "./answer.js"
import { isDiscoverResult, versionsDiscovered } from "./discover-result.js"
import { stringsIn } from "./plain-text.js"
import { troubleOf, type Trouble } from "./trouble.js"
import { namesOnlyLegacy } from "./version-choice.js"

/** What an answer to `server/discover` says about the era of the server. */
export type ProbeReading =
  /** A DiscoverResult: the server is modern. */
  | {
      readonly verdict: "modern"
      readonly discover: JsonObject
      readonly supported: ReadonlyArray<string>
    }
  /** −32022: modern, but not in the version that was asked. */
  | { readonly verdict: "retryVersion"; readonly supported: ReadonlyArray<string> }
  /** −32020 or −32021: modern, but the request as it is made here is refused. */
  | { readonly verdict: "correct" }
  /** Legacy, with the versions it named where it named any. */
  | { readonly verdict: "legacy"; readonly supported: ReadonlyArray<string> }
  /** Nothing is proved. */
  | { readonly verdict: Trouble }

/** Reads an answer, or leaves it to the next reader. */
type Reader = (answer: Answer, dialect: Dialect) => ProbeReading | undefined

const discovered: Reader = (answer) => {
  if (answer._tag !== "Result" || !isDiscoverResult(answer.result)) return undefined
  const supported = versionsDiscovered(answer.result)
  return namesOnlyLegacy(supported)
    ? { verdict: "legacy", supported }
    : { verdict: "modern", discover: answer.result, supported }
}

// The code is proof, whatever the status it comes with (V26-ERA-07, V26-ERA-09).
const refusedModern: Reader = (answer) => {
  if (answer._tag !== "Error" || !provesModern(answer.error.code)) return undefined
  const { code, data } = answer.error
  return code === rpcCode.unsupportedVersion
    ? { verdict: "retryVersion", supported: isJsonObject(data) ? stringsIn(data["supported"]) : [] }
    : { verdict: "correct" }
}

// A deadline over HTTP may be a slow network; on a stream, old servers just say nothing.
const slow: Reader = (answer, dialect) =>
  answer._tag === "Silence" && dialect === "http" ? { verdict: "outage" } : undefined

const troubled: Reader = (answer, dialect) => {
  const verdict = troubleOf(answer, dialect)
  return verdict && { verdict }
}

const readers: ReadonlyArray<Reader> = [discovered, refusedModern, slow, troubled]

/**
 * Reads the answer to `server/discover` (V26-ERA-02, V26-ERA-08). What no reader claims is legacy: no
 * particular code is needed for that (V26-ERA-03), and −32601 is legacy on both transports, since no
 * modern server lacks this method (T-04).
 *
 * @example
 * classifyProbe({ _tag: "Silence", afterMs: 1500 }, "stream").verdict // "legacy"
 */
export const classifyProbe = (answer: Answer, dialect: Dialect): ProbeReading => {
  for (const read of readers) {
    const reading = read(answer, dialect)
    if (reading) return reading
  }
  return { verdict: "legacy", supported: [] }
}
