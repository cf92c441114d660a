import type { JsonObject } from "@entente/protocol"
import { UsageError } from "./usage-error.js"

const hint = "Write NAME=TEXT for a string, NAME:=JSON for anything else, or --args with an object."

const readJson = (text: string, what: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw new UsageError(`${what} is not JSON.`, hint)
  }
}

const readWord = (word: string): readonly [name: string, value: unknown] => {
  const equals = word.indexOf("=")
  const isJson = word[equals - 1] === ":"
  const name = word.slice(0, isJson ? equals - 1 : equals)
  if (equals < 0 || name === "") throw new UsageError(`${word} is no argument of a tool.`, hint)
  const text = word.slice(equals + 1)
  return [name, isJson ? readJson(text, `The value of ${name}`) : text]
}

/**
 * The arguments of a tool from the command line. `__proto__` is a name like any other here.
 *
 * @example
 * readToolArguments(["text=hi", "times:=2"], undefined) // { text: "hi", times: 2 }
 */
export const readToolArguments = (
  words: ReadonlyArray<string>,
  args: string | undefined,
): JsonObject => {
  const all = args === undefined ? {} : readJson(args, "--args")
  if (typeof all !== "object" || all === null || Array.isArray(all)) {
    throw new UsageError("--args is not a JSON object.", hint)
  }
  const single = words.map(readWord)
  const names = new Set<string>()
  for (const [name] of single) {
    if (names.has(name)) throw new UsageError(`${name} is given more than once.`, hint)
    names.add(name)
  }
  return Object.fromEntries([...Object.entries(all), ...single])
}
