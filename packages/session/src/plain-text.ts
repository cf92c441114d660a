export { outcomeLimit, plainText } from "@entente/protocol"

/** The strings of a list that a peer sent; at most 100 are looked at. */
export const stringsIn = (list: unknown): ReadonlyArray<string> =>
  Array.isArray(list)
    ? list.slice(0, 100).filter((item): item is string => typeof item === "string")
    : []
