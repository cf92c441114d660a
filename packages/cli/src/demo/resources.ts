import { rpcCode, type JsonObject } from "@entente/protocol"
import { bookById, bookCard, bookLine, books, shelves } from "./bookshelf.js"
import { Fault } from "./fault.js"

const bookPrefix = "library://book/"
const shelfPrefix = "library://shelf/"

/** The resources as `resources/list` shows them: one card for each book. */
export const resourceDefinitions: ReadonlyArray<JsonObject> = books.map((book) => ({
  uri: `${bookPrefix}${book.id}`,
  name: book.id,
  title: book.title,
  description: `The card of ${book.title} by ${book.author}.`,
  mimeType: "text/markdown",
}))

/** The templates as `resources/templates/list` shows them. */
export const templateDefinitions: ReadonlyArray<JsonObject> = [
  {
    uriTemplate: `${bookPrefix}{id}`,
    name: "book",
    title: "A book",
    description: "The card of one book, by its id.",
    mimeType: "text/markdown",
  },
  {
    uriTemplate: `${shelfPrefix}{name}`,
    name: "shelf",
    title: "A shelf",
    description: `What stands on one shelf: ${shelves.join(", ")}.`,
    mimeType: "text/plain",
  },
]

const contentsOf = (
  uri: string,
): { readonly mimeType: string; readonly text: string } | undefined => {
  if (uri.startsWith(bookPrefix)) {
    const book = bookById(uri.slice(bookPrefix.length))
    return book === undefined ? undefined : { mimeType: "text/markdown", text: bookCard(book) }
  }
  const shelf = shelves.find((name) => uri === `${shelfPrefix}${name}`)
  if (shelf === undefined) return undefined
  const text = books.filter((book) => book.shelf === shelf).map(bookLine)
  return { mimeType: "text/plain", text: text.join("\n") }
}

/** Answers `resources/read`. What is missing has another code in each era (V26-RES-01). */
export const readResource = (params: JsonObject, missingCode: number): JsonObject => {
  const { uri } = params
  if (typeof uri !== "string") throw new Fault(rpcCode.invalidParams, '"uri" is not a string')
  const contents = contentsOf(uri)
  if (contents === undefined) {
    throw new Fault(missingCode, `There is no resource ${uri}`, { data: { uri } })
  }
  return { contents: [{ uri, ...contents }] }
}
