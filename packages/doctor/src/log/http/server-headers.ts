import { isJsonObject } from "@entente/protocol"
import { StandIns } from "@entente/trace"

export type Headers = Readonly<Record<string, string>>

/** The header that comes back: only by it can a session be followed (V25-HTTP-29). */
const sessionHeader = "mcp-session-id"

const pairs = (headers: unknown): ReadonlyArray<readonly [unknown, unknown]> => {
  if (Array.isArray(headers)) {
    return headers.map((header) =>
      isJsonObject(header)
        ? ([header["name"], header["value"]] as const)
        : ([undefined, undefined] as const),
    )
  }
  return isJsonObject(headers) ? Object.entries(headers) : []
}

/**
 * Headers as logs write them, lists or objects, with lower-case names. Session ids become numbered
 * stand-ins, so that equal ones stay equal; every other secret is left to redaction.
 */
export class ServerHeaders {
  readonly #standIns = new StandIns()

  of(headers: unknown): Headers {
    const safe: Array<readonly [string, string]> = []
    for (const [name, value] of pairs(headers)) {
      if (typeof name !== "string" || (typeof value !== "string" && typeof value !== "number"))
        continue
      const lower = name.toLowerCase()
      // What browsers add in front, such as `:authority`, is no header.
      if (lower.startsWith(":")) continue
      safe.push([
        lower,
        lower === sessionHeader && value !== "" ? this.session(String(value)) : String(value),
      ])
    }
    return Object.fromEntries(safe)
  }

  /** What stands for a session id. */
  session(id: string): string {
    return this.#standIns.of(id)
  }
}
