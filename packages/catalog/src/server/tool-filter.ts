import picomatch from "picomatch/posix.js"

/** Says why a tool is kept back; undefined where it is let through. */
export type ToolFilter = (name: string) => string | undefined

/** Names beyond this are not held against globs, whose cost grows faster than the name does. */
const longestName = 512

/** A name is no path: `*` stands for a slash and a line end too, or a server could slip past a list. */
const flat = (text: string): string => text.replaceAll("/", "∕")

/** Globs never match these two, which would be folders to them. */
const folders: ReadonlySet<string> = new Set([".", ".."])

const subject = (name: string): string =>
  folders.has(name) ? name.replaceAll(".", "․") : flat(name)

/** The first of some globs that a name matches; undefined where none does. */
const matcher = (globs: ReadonlyArray<string>): ((name: string) => string | undefined) => {
  const matchers = globs.map((glob) => ({
    glob,
    matches: picomatch(flat(glob), { dot: true, flags: "s" }),
  }))
  return (name) => {
    const asked = subject(name)
    return matchers.find(({ glob, matches }) => glob === name || matches(asked))?.glob
  }
}

/**
 * Lets a tool through that one of `allow` matches, or any where there is no such list, and none of `deny`
 * does. What cannot be judged is kept back.
 *
 * @example
 * const filter = toolFilter(["read_*"], ["*_secret"])
 * filter("read_file") // undefined
 * filter("read_secret") // 'deny has "*_secret"'
 */
export const toolFilter = (
  allow: ReadonlyArray<string> | undefined,
  deny: ReadonlyArray<string> = [],
): ToolFilter => {
  if (allow === undefined && deny.length === 0) return () => undefined
  const allowed = allow === undefined ? undefined : matcher(allow)
  const denied = matcher(deny)
  return (name) => {
    if (name.length > longestName) {
      return `its name is longer than ${longestName} characters, so no list can judge it`
    }
    const glob = denied(name)
    if (glob !== undefined) return `deny has "${glob}"`
    return allowed === undefined || allowed(name) !== undefined
      ? undefined
      : "allow does not name it"
  }
}
