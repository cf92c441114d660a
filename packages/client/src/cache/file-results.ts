import { randomUUID } from "node:crypto"
import { constants } from "node:fs"
import { lstat, mkdir, open, readdir, rename, stat, unlink } from "node:fs/promises"
import { join } from "node:path"
import type { ResultStore } from "./result-store.js"
import { storeBounds, type StoreBounds } from "./store-bounds.js"

const defaults: StoreBounds = { maxEntries: 1_000, maxBytes: 64 * 1024 * 1024 }

/** For the owner alone. */
const fileMode = 0o600
const directoryMode = 0o700

/** As often as this the directory is looked through for what is too much. */
const writesBetweenSweeps = 64

/** A file that is still being written after this many milliseconds belongs to a process that has died. */
const abandonedAfterMs = 60 * 60 * 1_000

/** Flags that a platform lacks are not needed there. */
const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants

/**
 * Keeps results in a directory, for every process of one user on this machine, over restarts: at most 1,000
 * and 64 MiB unless told otherwise. What expires first goes first.
 *
 * **What is kept there is what the server sent, in plain text**, private results too. The files are readable by
 * their owner alone (0600, the directory 0700); a directory that others may write to is not used, because they
 * could put words into a server's mouth. Several processes may use one directory at once: an entry is one file
 * that appears at once, so that whoever dies while writing leaves the old entry and a piece that is swept away.
 *
 * @example
 * import { fileResults } from "@entente/client/file-results"
 * const store = fileResults(join(homedir(), ".cache", "my-host", "mcp"))
 * const client = await connect(url, { cache: { store } })
 */
export const fileResults = (directory: string, options: Partial<StoreBounds> = {}): ResultStore => {
  const folder = new ResultFolder(directory, storeBounds("fileResults", options, defaults))
  return {
    reach: "machine",
    get: (key) => folder.read(key),
    set: (key, { text, ttlMs }) => folder.write(key, text, ttlMs),
    delete: (prefix) => folder.delete(prefix),
  }
}

const suffix = ".json"
const unfinished = ".unfinished"

const isEntry = (name: string): boolean => /^[0-9a-f]+\.[0-9a-f]+\.json$/.test(name)

class ResultFolder {
  readonly #directory: string
  readonly #bounds: StoreBounds
  #writes = 0
  #safe: Promise<void> | undefined

  constructor(directory: string, bounds: StoreBounds) {
    this.#directory = directory
    this.#bounds = bounds
  }

  async read(key: string): Promise<string | undefined> {
    const path = this.#pathOf(key)
    await this.#prepared()
    // A link could lead anywhere, and opening a pipe could take for ever.
    const file = await unlessMissing(open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK))
    if (file === undefined) return undefined
    try {
      const { size } = await file.stat()
      if (size > this.#bounds.maxBytes) throw new Error(`an entry has ${size} bytes`)
      return await file.readFile("utf8")
    } finally {
      await file.close()
    }
  }

  async write(key: string, text: string, ttlMs: number): Promise<void> {
    const path = this.#pathOf(key)
    await this.#prepared()
    const piece = join(this.#directory, `${randomUUID()}${unfinished}`)
    try {
      const file = await open(piece, "wx", fileMode)
      try {
        await file.writeFile(text)
        // The time of an entry is the one at which it expires: sweeping need not look into it.
        await file.utimes(new Date(), new Date(Date.now() + ttlMs))
      } finally {
        await file.close()
      }
      await rename(piece, path)
    } catch (cause) {
      await unlessMissing(unlink(piece))
      throw cause
    }
    if (this.#writes++ % writesBetweenSweeps === 0) await this.#sweep()
  }

  async delete(prefix: string): Promise<void> {
    await this.#prepared()
    if (!prefix.endsWith(".")) return void (await unlessMissing(unlink(this.#pathOf(prefix))))
    const names = await readdir(this.#directory)
    const meant = names.filter((name) => isEntry(name) && name.startsWith(prefix))
    for (const name of meant) await unlessMissing(unlink(join(this.#directory, name)))
  }

  #pathOf(key: string): string {
    const name = `${key}${suffix}`
    if (!isEntry(name)) throw new TypeError("This is no key of a kept result.")
    return join(this.#directory, name)
  }

  /** Makes the directory and looks at it, once; a failure is tried again. */
  #prepared(): Promise<void> {
    return (this.#safe ??= this.#prepare().catch((cause: unknown) => {
      this.#safe = undefined
      throw cause
    }))
  }

  async #prepare(): Promise<void> {
    await mkdir(this.#directory, { recursive: true, mode: directoryMode })
    const { mode, uid } = await stat(this.#directory)
    const self = process.getuid?.()
    // Windows has no such modes and no such numbers.
    if (self === undefined) return
    if (uid !== self) throw new Error("the directory belongs to somebody else")
    if ((mode & 0o022) !== 0) throw new Error("others may write to the directory")
  }

  /** Takes away what has expired, what was never finished, and what is too much. */
  async #sweep(): Promise<void> {
    const now = Date.now()
    const kept: Array<{
      readonly path: string
      readonly size: number
      readonly expiresAt: number
    }> = []
    for (const name of await readdir(this.#directory)) {
      const path = join(this.#directory, name)
      const isPiece = name.endsWith(unfinished)
      if (!isPiece && !isEntry(name)) continue
      const found = await unlessMissing(lstat(path))
      if (found?.isFile() !== true) continue
      const { mtimeMs: expiresAt, size } = found
      const isOver = isPiece ? expiresAt + abandonedAfterMs <= now : expiresAt <= now
      if (isOver) await unlessMissing(unlink(path))
      else if (!isPiece) kept.push({ path, size, expiresAt })
    }
    const { maxEntries, maxBytes } = this.#bounds
    let bytes = 0
    const longest = kept.toSorted((one, other) => other.expiresAt - one.expiresAt)
    for (const [index, { path, size }] of longest.entries()) {
      bytes += size
      if (index >= maxEntries || bytes > maxBytes) await unlessMissing(unlink(path))
    }
  }
}

/** Another process may have been quicker. */
const unlessMissing = async <A>(work: Promise<A>): Promise<A | undefined> => {
  try {
    return await work
  } catch (cause) {
    if (cause instanceof Error && "code" in cause && cause.code === "ENOENT") return undefined
    throw cause
  }
}
