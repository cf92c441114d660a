import { isJsonObject, readFreshness, type Freshness, type JsonObject } from "@entente/protocol"

/** How long a result may be used again, by whom, and since when. */
export interface KeptFreshness extends Freshness {
  /** When it came, on the clock of this side, in milliseconds since 1970 (V26-CACHE-02). */
  readonly receivedAt: number
}

/** A result that is kept, with the time it came. */
export interface Kept {
  readonly result: JsonObject
  readonly freshness: KeptFreshness
}

/** The longest text of a kept result, in characters: what is longer is asked for anew each time. */
export const maxTextLength = 4 * 1024 * 1024

const version = 1

/**
 * A result as text for a store; undefined where it is too long, or nested too deeply for JSON to be written.
 * The key is in it, so that an entry which got under another key is found out.
 */
export const writeKept = (key: string, { result, freshness }: Kept): string | undefined => {
  try {
    const text = JSON.stringify({ version, key, ...freshness, result })
    return text.length > maxTextLength ? undefined : text
  } catch {
    return undefined
  }
}

/** What a text from a store turns out to be. */
export type KeptReading =
  | { readonly ok: true; readonly kept: Kept }
  | { readonly ok: false; readonly reason: string }

/**
 * Reads what a store gave. It may have been damaged, exchanged, or written by somebody else, so that nothing
 * is believed: no entry is fresher, or for more people, than the result in it says.
 */
export const readKept = (key: string, scope: Freshness["scope"], text: unknown): KeptReading => {
  if (typeof text !== "string") return refuse("it is no text")
  if (text.length > maxTextLength) return refuse(`it is longer than ${maxTextLength} characters`)
  const entry = parsed(text)
  if (!isJsonObject(entry)) return refuse("it is no JSON object")
  if (entry["version"] !== version) return refuse("it is of another version")
  if (entry["key"] !== key) return refuse("it belongs to another key")
  const { receivedAt, ttlMs, result } = entry
  if (!isCount(receivedAt) || !isCount(ttlMs)) return refuse("its times are none")
  if (!isJsonObject(result)) return refuse("there is no result in it")
  const said = readFreshness(result)
  if (ttlMs > said.ttlMs) return refuse("it claims to be fresh for longer than its result says")
  if (entry["scope"] !== scope) return refuse("it is of another scope")
  if (scope === "public" && said.scope === "private") return refuse("its result is private")
  return { ok: true, kept: { result, freshness: { receivedAt, ttlMs, scope } } }
}

const refuse = (reason: string): KeptReading => ({ ok: false, reason })

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const isCount = (value: unknown): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= 0
