import type { ResultStore } from "./result-store.js"
import { storeBounds, type StoreBounds } from "./store-bounds.js"

const defaults: StoreBounds = { maxEntries: 1_000, maxBytes: 8 * 1024 * 1024 }

/**
 * Keeps results as long as the process lives, at most 1,000 of them and 8 MiB unless told otherwise; what was
 * used least recently goes first. Every client has one of its own; one that is given to several is shared by
 * them. What it gives back are copies, so that nobody can change what another one reads.
 *
 * @example
 * const store = memoryResults({ maxEntries: 200 })
 * const [one, other] = await Promise.all([
 *   connect(url, { cache: { store } }),
 *   connect(url, { cache: { store } }),
 * ])
 */
export const memoryResults = (options: Partial<StoreBounds> = {}): ResultStore => {
  const { maxEntries, maxBytes } = storeBounds("memoryResults", options, defaults)
  const texts = new Map<string, string>()
  let bytes = 0
  const forget = (key: string): void => {
    bytes -= bytesOf(key, texts.get(key))
    texts.delete(key)
  }
  return {
    reach: "process",
    get: (key) => {
      const text = texts.get(key)
      if (text === undefined) return undefined
      // Put at the end: the first is the one that was used least recently.
      texts.delete(key)
      texts.set(key, text)
      return text
    },
    set: (key, { text }) => {
      forget(key)
      if (bytesOf(key, text) > maxBytes) return
      texts.set(key, text)
      bytes += bytesOf(key, text)
      for (const oldest of texts.keys()) {
        if (texts.size <= maxEntries && bytes <= maxBytes) break
        forget(oldest)
      }
    },
    delete: (prefix) => {
      if (!prefix.endsWith(".")) return forget(prefix)
      for (const key of texts.keys()) if (key.startsWith(prefix)) forget(key)
    },
  }
}

/** What a text takes at most: engines keep a character in one byte or in two. */
const bytesOf = (key: string, text: string | undefined): number =>
  text === undefined ? 0 : 2 * (key.length + text.length)
