import { isJsonObject, rpcCode, type JsonObject } from "@entente/protocol"
import { bookById, bookCard } from "./bookshelf.js"
import { Fault } from "./fault.js"

interface DemoPrompt {
  readonly definition: JsonObject & { readonly name: string }
  readonly required: ReadonlyArray<string>
  readonly write: (args: Readonly<Record<string, string>>) => string
}

const prompts: ReadonlyArray<DemoPrompt> = [
  {
    definition: {
      name: "recommend_book",
      title: "Recommend a book",
      description: "Asks for a book that fits a mood.",
      arguments: [
        { name: "mood", description: "How the reader feels.", required: true },
        { name: "evenings", description: "How many evenings there are to read." },
      ],
    },
    required: ["mood"],
    write: ({ mood, evenings }) =>
      `Recommend one book from the reading room for somebody who feels ${mood}` +
      (evenings === undefined ? "." : ` and has ${evenings} evenings to read.`),
  },
  {
    definition: {
      name: "discuss_book",
      title: "Discuss a book",
      description: "Opens a conversation about one book.",
      arguments: [{ name: "id", description: "The id of the book.", required: true }],
    },
    required: ["id"],
    write: ({ id = "" }) => {
      const book = bookById(id)
      if (book === undefined) throw new Fault(rpcCode.invalidParams, `There is no book "${id}"`)
      return `Let us talk about this book. Begin with a question.\n\n${bookCard(book)}`
    },
  },
]

/** The prompts as `prompts/list` shows them. */
export const promptDefinitions: ReadonlyArray<JsonObject> = prompts.map(
  ({ definition }) => definition,
)

const stringsOf = (value: unknown): Readonly<Record<string, string>> => {
  const entries = isJsonObject(value) ? Object.entries(value) : undefined
  const strings = entries?.filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  )
  if (strings === undefined || strings.length !== entries?.length) {
    throw new Fault(rpcCode.invalidParams, '"arguments" must map names to strings')
  }
  return Object.fromEntries(strings)
}

/** Answers `prompts/get`; unknown names and missing arguments are −32602 (V26-PROM-05). */
export const getPrompt = (params: JsonObject): JsonObject => {
  const { name, arguments: given = {} } = params
  const prompt = prompts.find((one) => one.definition.name === name)
  if (prompt === undefined)
    throw new Fault(rpcCode.invalidParams, `Unknown prompt: ${String(name)}`)
  const args = stringsOf(given)
  const missing = prompt.required.filter((one) => args[one] === undefined)
  if (missing.length > 0) {
    throw new Fault(rpcCode.invalidParams, `Missing argument: ${missing.join(", ")}`)
  }
  return {
    description: prompt.definition["description"],
    messages: [{ role: "user", content: { type: "text", text: prompt.write(args) } }],
  }
}
