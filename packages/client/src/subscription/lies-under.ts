/**
 * Whether a URI is another one or lies under it: an update may name a part of the resource that was
 * subscribed to (V25-RES-03, V26-SUB-14). Schemes are the server's own, so only whole steps count.
 *
 * @example
 * liesUnder("file:///notes/today.md", "file:///notes") // true
 * liesUnder("file:///notes-old", "file:///notes") // false
 */
export const liesUnder = (uri: string, parent: string): boolean => {
  if (!uri.startsWith(parent)) return false
  const next = uri.charAt(parent.length)
  return next === "" || isStep(next) || isStep(parent.slice(-1))
}

const isStep = (character: string): boolean =>
  character === "/" || character === "?" || character === "#"
