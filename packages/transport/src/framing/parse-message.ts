/** A JSON object or array; undefined for anything else, because no message is a bare scalar. */
export const parseMessage = (given: string): unknown => {
  // A byte order mark counts as white space here.
  const text = given.trimStart()
  if (!text.startsWith("{") && !text.startsWith("[")) return undefined
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
