const line = /^[ \t]*(?:export[ \t]+)?([A-Za-z_][\w.-]*)[ \t]*=[ \t]*(.*)$/

const escapes: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t" }

/** The value behind the equals sign: quoted, or up to a comment. */
const valueOf = (written: string): string => {
  const [, double] = /^"((?:[^"\\]|\\.)*)"/.exec(written) ?? []
  if (double !== undefined) {
    return double.replace(/\\(.)/g, (_, character: string) => escapes[character] ?? character)
  }
  const [, single] = /^'([^']*)'/.exec(written) ?? []
  return single ?? written.replace(/[ \t]+#.*$/, "").trimEnd()
}

/**
 * Reads a file of variables: `NAME=value` on each line, quotes, comments and `export` as shells have them.
 * Nothing in it is expanded. Lines of another shape are passed over.
 */
export const readDotenv = (text: string): ReadonlyMap<string, string> => {
  const variables = new Map<string, string>()
  for (const one of text.replace(/^\ufeff/, "").split(/\r\n|\r|\n/)) {
    const [, name, written] = line.exec(one) ?? []
    if (name !== undefined && written !== undefined) variables.set(name, valueOf(written))
  }
  return variables
}
