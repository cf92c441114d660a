import { editDistance } from "@entente/protocol"

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
      const cost = editDistance(written, bare(tool), most + 1)
      if (cost <= most && (best === undefined || cost < best.cost)) best = { tool, cost }
    }
    return best?.tool
  }
}
