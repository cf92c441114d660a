/** Headers of one connection, not of the message: they end here (RFC 9110, 7.6.1). */
const hopByHop = new Set([
  "connection",
  "keep-alive",
  "proxy-connection",
  "te",
  // What is announced there stands behind the body, and is not handed on.
  "trailer",
  "transfer-encoding",
  "upgrade",
])

/** Names and values in turns, as Node gives and takes them. */
export type RawHeaders = ReadonlyArray<string>

const pairs = (raw: RawHeaders): ReadonlyArray<readonly [name: string, value: string]> =>
  Array.from({ length: raw.length >> 1 }, (_, index) => [
    raw[2 * index] ?? "",
    raw[2 * index + 1] ?? "",
  ])

/**
 * The headers that go on: all but those of the connection, in their order, spelling and number. `revise` may
 * give another value.
 */
export const passingHeaders = (
  raw: RawHeaders,
  revise: (name: string, value: string) => string = (_, value) => value,
): Array<string> => {
  const all = pairs(raw)
  const named = all
    .filter(([name]) => name.toLowerCase() === "connection")
    .flatMap(([, value]) => value.split(","))
    .map((name) => name.trim().toLowerCase())
  const stays = new Set([...hopByHop, ...named])
  return all
    .filter(([name]) => !stays.has(name.toLowerCase()))
    .flatMap(([name, value]) => [name, revise(name.toLowerCase(), value)])
}

/** The same by lower-case name, several values of one name as one. */
export const headerRecord = (raw: RawHeaders): Readonly<Record<string, string>> => {
  const record = new Map<string, string>()
  for (const [given, value] of pairs(raw)) {
    const name = given.toLowerCase()
    const before = record.get(name)
    record.set(name, before === undefined ? value : `${before}, ${value}`)
  }
  // `fromEntries` defines members, so that a header named `__proto__` is one like any other.
  return Object.fromEntries(record)
}
