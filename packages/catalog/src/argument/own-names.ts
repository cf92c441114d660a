import { jsonPointer, type JsonObject } from "@entente/protocol"

/** From the name of an argument that the model sees to the server's. */
export type RenamedArguments = ReadonlyMap<string, string>

/** Arguments under the names that the server has for them; the very value where none has another. */
export const ownNames = (given: JsonObject, renamed: RenamedArguments | undefined): JsonObject => {
  if (renamed === undefined || !Object.keys(given).some((name) => renamed.has(name))) return given
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [renamed.get(name) ?? name, value]),
  )
}

/** Pointers into the provider's schema, as they would be if its arguments had the server's names. */
export const ownPointers = (
  pointers: ReadonlyArray<string>,
  renamed: RenamedArguments | undefined,
): ReadonlyArray<string> => {
  if (renamed === undefined) return pointers
  const starts = [...renamed].map(([name, own]) => ({
    from: jsonPointer(["properties", name]),
    to: jsonPointer(["properties", own]),
  }))
  return pointers.map((pointer) => {
    const start = starts.find(({ from }) => pointer === from || pointer.startsWith(`${from}/`))
    return start === undefined ? pointer : start.to + pointer.slice(start.from.length)
  })
}
