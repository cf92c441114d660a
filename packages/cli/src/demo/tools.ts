import { setTimeout as sleep } from "node:timers/promises"
import { isJsonObject, rpcCode, type JsonObject } from "@entente/protocol"
import { bookById, bookLine, books } from "./bookshelf.js"
import { Fault } from "./fault.js"
import type { Call, Library } from "./library.js"

/** A tool that could not do its work: the caller gets a result with `isError`, no protocol error. */
class ToolTrouble extends Error {}

interface DemoTool {
  readonly definition: JsonObject & { readonly name: string }
  readonly run: (args: JsonObject, call: Call, library: Library) => JsonObject | Promise<JsonObject>
}

const say = (text: string): JsonObject => ({ content: [{ type: "text", text }] })

const inputs = (
  properties: Readonly<Record<string, JsonObject>>,
  required: ReadonlyArray<string> = [],
): JsonObject => ({ type: "object", properties, required, additionalProperties: false })

const text = (args: JsonObject, name: string): string => {
  const value = args[name]
  if (typeof value !== "string") throw new ToolTrouble(`"${name}" must be a string.`)
  return value
}

const number = (args: JsonObject, name: string): number => {
  const value = args[name]
  if (typeof value !== "number") throw new ToolTrouble(`"${name}" must be a number.`)
  return value
}

const book = (args: JsonObject) => {
  const id = text(args, "id")
  const found = bookById(id)
  if (found === undefined) throw new ToolTrouble(`There is no book "${id}" here.`)
  return found
}

const bookId = { type: "string", description: "The id of a book, for example flatland." }

/** Longest stay of `slow`, in seconds. */
const longest = 60

const slow: DemoTool["run"] = async (args, { params, notify, signal }) => {
  const seconds = args["seconds"] === undefined ? 3 : number(args, "seconds")
  if (!(seconds >= 0 && seconds <= longest)) {
    throw new ToolTrouble(`"seconds" must lie between 0 and ${longest}.`)
  }
  const meta = params["_meta"]
  const progressToken = isJsonObject(meta) ? meta["progressToken"] : undefined
  const total = 5
  for (let progress = 1; progress <= total; progress += 1) {
    await sleep((seconds * 1_000) / total, undefined, { signal })
    if (progressToken === undefined) continue
    const message = `Chapter ${progress} of ${total} is read`
    notify("notifications/progress", { progressToken, progress, total, message })
  }
  return say(`Read slowly, for ${seconds} seconds.`)
}

const fixed: ReadonlyArray<DemoTool> = [
  {
    definition: {
      name: "echo",
      title: "Echo",
      description: "Says what it is told.",
      inputSchema: inputs({ text: { type: "string" } }, ["text"]),
      annotations: { readOnlyHint: true },
    },
    run: (args) => say(text(args, "text")),
  },
  {
    definition: {
      name: "add",
      title: "Add",
      description: "Adds two numbers; the sum comes as text and as structured content.",
      inputSchema: inputs({ a: { type: "number" }, b: { type: "number" } }, ["a", "b"]),
      outputSchema: {
        type: "object",
        properties: { sum: { type: "number" } },
        required: ["sum"],
      },
      annotations: { readOnlyHint: true },
    },
    run: (args) => {
      const sum = number(args, "a") + number(args, "b")
      return { ...say(String(sum)), structuredContent: { sum } }
    },
  },
  {
    definition: {
      name: "slow",
      title: "Read slowly",
      description: `Takes its time (3 seconds, or as many as asked for, up to ${longest}) and reports progress.`,
      inputSchema: inputs({ seconds: { type: "number", minimum: 0, maximum: longest } }),
      annotations: { readOnlyHint: true },
    },
    run: slow,
  },
  {
    definition: {
      name: "fail",
      title: "Fail",
      description: "Always fails, in the way a tool may fail: with a result marked isError.",
      inputSchema: inputs({}),
    },
    run: () => {
      throw new ToolTrouble("The page is torn; nothing can be read here.")
    },
  },
  {
    definition: {
      name: "grow",
      title: "Grow",
      description: "Adds one tool to the list, as servers do whose tools change while they run.",
      inputSchema: inputs({}),
    },
    run: (_, __, library) => say(`Added new_arrival_${library.grow()}; list the tools again.`),
  },
  {
    definition: {
      name: "search_books",
      title: "Search the books",
      description: "Finds books by a word in their title, author or description.",
      inputSchema: inputs({ query: { type: "string" } }, ["query"]),
      annotations: { readOnlyHint: true },
    },
    run: (args) => {
      const query = text(args, "query").toLowerCase()
      const found = books.filter((one) =>
        `${bookLine(one)} ${one.note}`.toLowerCase().includes(query),
      )
      return say(found.length === 0 ? "Nothing found." : found.map(bookLine).join("\n"))
    },
  },
  {
    definition: {
      name: "borrow_book",
      title: "Borrow a book",
      description: "Takes a book home, if it is not out already.",
      inputSchema: inputs({ id: bookId }, ["id"]),
    },
    run: (args, _, library) => {
      const { id, title } = book(args)
      if (!library.lend(id)) throw new ToolTrouble(`${title} is out already.`)
      return say(`Enjoy ${title}.`)
    },
  },
  {
    definition: {
      name: "return_book",
      title: "Return a book",
      description: "Brings a borrowed book back.",
      inputSchema: inputs({ id: bookId }, ["id"]),
    },
    run: (args, _, library) => {
      const { id, title } = book(args)
      if (!library.takeBack(id)) throw new ToolTrouble(`${title} was not out.`)
      return say(`Thank you for bringing ${title} back.`)
    },
  },
  {
    definition: {
      name: "opening_hours",
      title: "Opening hours",
      description: "Says when the reading room is open.",
      inputSchema: inputs({}),
      annotations: { readOnlyHint: true },
    },
    run: () => say("Every day from nine to six, and as long as a chapter lasts."),
  },
]

const arrival = (number: number): DemoTool => ({
  definition: {
    name: `new_arrival_${number}`,
    description: `Shows new arrival number ${number}.`,
    inputSchema: inputs({}),
  },
  run: () => say(`New arrival number ${number}: its pages are still uncut.`),
})

const toolsOf = (library: Library): ReadonlyArray<DemoTool> => [
  ...fixed,
  ...Array.from({ length: library.arrivals }, (_, index) => arrival(index + 1)),
]

/** The tools as `tools/list` shows them. */
export const toolDefinitions = (library: Library): ReadonlyArray<JsonObject> =>
  toolsOf(library).map((tool) => tool.definition)

/** Runs a tool. Trouble inside it is a result marked `isError`; an unknown name is a protocol error. */
export const callTool = async (library: Library, call: Call): Promise<JsonObject> => {
  const { name, arguments: given = {} } = call.params
  const tool = toolsOf(library).find((one) => one.definition.name === name)
  if (tool === undefined) throw new Fault(rpcCode.invalidParams, `Unknown tool: ${String(name)}`)
  if (!isJsonObject(given)) throw new Fault(rpcCode.invalidParams, '"arguments" is not an object')
  try {
    return await tool.run(given, call, library)
  } catch (error) {
    if (error instanceof ToolTrouble) return { ...say(error.message), isError: true }
    throw error
  }
}
