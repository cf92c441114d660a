/** Longest names that are compared letter by letter. */
const lengthLimit = 64

/** Most names that one is compared with letter by letter. */
const countLimit = 200

/** A name without what people mix up: case, and the signs between words. */
const bare = (name: string): string =>
  name
    .slice(0, 4 * lengthLimit)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "")

/** How many single letters must change to make one word of another, or more than `most`. */
const distance = (from: string, to: string, most: number): number => {
  if (Math.abs(from.length - to.length) > most) return most + 1
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= to.length; j += 1) {
      const above = row[j] ?? 0
      const left = next[j - 1] ?? 0
      const diagonal = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1)
      next.push(Math.min(above + 1, left + 1, diagonal))
    }
    row = next
  }
  return row[to.length] ?? 0
}

/**
 * Finds the tool that somebody meant with a name that the server does not have: the same letters in another
 * spelling, the name with that of the server before it, or one with a letter or two changed.
 *
 * @example
 * nearNames(["read_file"], "files")("read-file") // "read_file"
 */
export const nearNames = (
  tools: ReadonlyArray<string>,
  server: string,
): ((name: string) => string | undefined) => {
  const byBare = new Map<string, string>()
  for (const tool of tools) if (!byBare.has(bare(tool))) byBare.set(bare(tool), tool)
  const prefixes = ["", bare(server), `mcp${bare(server)}`]
  return (name) => {
    const written = bare(name)
    if (written === "") return undefined
    for (const prefix of prefixes) {
      const same = written.startsWith(prefix) ? byBare.get(written.slice(prefix.length)) : undefined
      if (same !== undefined) return same
    }
    if (written.length > lengthLimit) return undefined
    const most = written.length < 4 ? 0 : written.length < 8 ? 1 : 2
    let best: { readonly tool: string; readonly cost: number } | undefined
    for (const tool of tools.slice(0, countLimit)) {
      const cost = distance(written, bare(tool), most)
      if (cost <= most && (best === undefined || cost < best.cost)) best = { tool, cost }
    }
    return best?.tool
  }
}
