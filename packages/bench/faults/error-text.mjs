// What an error shows to whoever prints it, as plain data.

const most = 20_000

/** Every text and number in an error, its causes and its own members, without stacks. */
const collect = (value, seen, texts) => {
  if (typeof value === "string" || typeof value === "number") return void texts.push(String(value))
  if (typeof value !== "object" || value === null || seen.has(value) || seen.size > 400) return
  seen.add(value)
  const names =
    value instanceof Error ? ["message", "cause", ...Object.keys(value)] : Object.keys(value)
  for (const name of new Set(names)) {
    if (name !== "stack") collect(value[name], seen, texts)
  }
}

/**
 * `name` as its client calls it, `message`, and in `text` all that it says, members and causes included.
 */
export const describeError = (error, nameOf) => {
  if (!(error instanceof Error))
    return { name: "thrown", message: String(error), text: String(error) }
  const texts = []
  collect(error, new Set(), texts)
  return {
    name: String(nameOf(error)),
    message: error.message.slice(0, 2_000),
    text: texts.join("\n").slice(0, most),
    ...(Array.isArray(error.items) && { items: error.items.map(({ name }) => name) }),
    ...(typeof error.code === "string" && { code: error.code }),
    ...(typeof error.stage === "string" && { stage: error.stage }),
  }
}
