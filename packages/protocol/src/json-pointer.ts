/** A path as a JSON pointer (RFC 6901). */
export const jsonPointer = (path: ReadonlyArray<PropertyKey>): string =>
  path.map((key) => `/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("")

/** The name that one step of a JSON pointer stands for. */
export const pointerName = (step: string): string =>
  step.replaceAll("~1", "/").replaceAll("~0", "~")
