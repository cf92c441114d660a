import type { Variant } from "./variant.js"

type Over = "stdio" | "http"

const ways: ReadonlyArray<Over> = ["stdio", "http"]

/** A variant of family 4 over a process and over HTTP. */
export const bothWays = (
  make: (over: Over) => Omit<Variant, "over" | "family">,
): ReadonlyArray<Variant> => ways.map((over) => ({ ...make(over), over, family: 4 }))
