import type { Challenge } from "./errors.js"

const separators = /[ \t,]*/y
const name = /[!#$%&'*+\-.^_`|~0-9A-Za-z]+/y
/** `= value`: quoted, perhaps without its end, or bare and then anything up to a space or comma. */
const assigned = /[ \t]*=[ \t]*(?:"((?:[^"\\]|\\[^])*)"?|([^ \t,"]*))/y
/** Data that some schemes send instead of parameters. */
const token68 = /[ \t]+([A-Za-z0-9\-._~+/]+=*)[ \t]*(?=,|$)/y

const unescaped = (quoted: string): string => quoted.replaceAll(/\\([^])/g, "$1")

/**
 * Reads a `WWW-Authenticate` header, also one that joins several (RFC 9110, section 11.6.1). It
 * takes several challenges, quoted and bare values, commas and escapes inside quotes, and data in
 * place of parameters, which is found under `token68` (V25-AUTH-02, V26-AUTH-02). It never fails:
 * what cannot be read is passed over, and of two parameters of one name the first counts.
 *
 * @returns the challenges in order; names of schemes and parameters in lower case.
 * @example
 * parseChallenges('Bearer error="insufficient_scope", scope="a b", Basic realm=x')
 * // [{ scheme: "bearer", parameters: { error: …, scope: "a b" } }, { scheme: "basic", … }]
 */
export const parseChallenges = (header: string): ReadonlyArray<Challenge> => {
  const challenges: Array<{ scheme: string; parameters: Map<string, string> }> = []
  let at = 0
  // Each pattern matches at `at` alone and what it matches is never looked at again: one pass.
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    const match = pattern.exec(header)
    at += match?.[0].length ?? 0
    return match
  }
  while (at < header.length) {
    take(separators)
    const word = take(name)?.[0].toLowerCase()
    if (word === undefined) {
      at++
      continue
    }
    const value = take(assigned)
    if (value === null) {
      const data = take(token68)?.[1]
      challenges.push({
        scheme: word,
        parameters: new Map(data === undefined ? [] : [["token68", data]]),
      })
      continue
    }
    const parameters = challenges.at(-1)?.parameters
    if (parameters?.has(word) === false) {
      parameters.set(word, value[1] === undefined ? (value[2] ?? "") : unescaped(value[1]))
    }
  }
  return challenges.map(({ scheme, parameters }) => ({
    scheme,
    // `fromEntries` makes own members, so a parameter called `__proto__` is one like any other.
    parameters: Object.fromEntries(parameters),
  }))
}
