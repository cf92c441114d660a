/** A book of the reading room. */
export interface Book {
  readonly id: string
  readonly title: string
  readonly author: string
  readonly year: number
  readonly shelf: "adventure" | "science" | "poetry" | "mystery"
  readonly note: string
}

export const books: ReadonlyArray<Book> = [
  {
    id: "frankenstein",
    title: "Frankenstein",
    author: "Mary Shelley",
    year: 1818,
    shelf: "science",
    note: "A young scholar makes a living being and then refuses to answer for it.",
  },
  {
    id: "moby-dick",
    title: "Moby-Dick",
    author: "Herman Melville",
    year: 1851,
    shelf: "adventure",
    note: "A captain hunts one whale over every ocean, and takes his crew with him.",
  },
  {
    id: "moonstone",
    title: "The Moonstone",
    author: "Wilkie Collins",
    year: 1868,
    shelf: "mystery",
    note: "A diamond disappears overnight; everyone in the house tells their part.",
  },
  {
    id: "treasure-island",
    title: "Treasure Island",
    author: "Robert Louis Stevenson",
    year: 1883,
    shelf: "adventure",
    note: "A map, a ship, and a cook who is more than a cook.",
  },
  {
    id: "flatland",
    title: "Flatland",
    author: "Edwin A. Abbott",
    year: 1884,
    shelf: "science",
    note: "A square learns of the third dimension and is not believed.",
  },
  {
    id: "hound",
    title: "The Hound of the Baskervilles",
    author: "Arthur Conan Doyle",
    year: 1902,
    shelf: "mystery",
    note: "Footprints on a moor, and a family that fears a legend.",
  },
  {
    id: "leaves-of-grass",
    title: "Leaves of Grass",
    author: "Walt Whitman",
    year: 1855,
    shelf: "poetry",
    note: "One long, growing poem about everyone and everything.",
  },
]

export const shelves: ReadonlyArray<Book["shelf"]> = ["adventure", "mystery", "poetry", "science"]

export const bookById = (id: string): Book | undefined => books.find((book) => book.id === id)

/** A line for lists and search results. */
export const bookLine = (book: Book): string =>
  `${book.title} by ${book.author} (${book.year}), shelf ${book.shelf}, id ${book.id}`

/** The card of a book, as Markdown. */
export const bookCard = (book: Book): string =>
  [
    `# ${book.title}`,
    "",
    `*${book.author}, ${book.year}; shelf: ${book.shelf}*`,
    "",
    book.note,
    "",
  ].join("\n")
