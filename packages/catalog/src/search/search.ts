import { foldedWords } from "./folded-words.js"
import type { CatalogTool } from "../tool/catalog-tool.js"

export interface SearchOptions {
  /** How many results at most; 20 by default. */
  readonly limit?: number
  /** Only tools of servers that have all of these tags. */
  readonly tags?: ReadonlyArray<string>
  /** Only tools of these servers. */
  readonly servers?: ReadonlyArray<string>
}

/** A tool that was found, and how well it fits. */
export interface Found {
  readonly tool: CatalogTool
  /** To compare results of one search with each other. */
  readonly score: number
}

/** Words beyond this many of a query do not count. */
const mostWords = 32

/** How much of a text is searched, in characters: a server decides how long it is. */
const searchedOf = { name: 512, title: 512, description: 4_000 }

/** What it is worth that a word was found: whole, as the beginning of one, or inside one. */
interface Worth {
  readonly whole: number
  readonly beginning: number
  readonly inside: number
}

const worths = {
  name: { whole: 12, beginning: 8, inside: 5 },
  title: { whole: 8, beginning: 5, inside: 3 },
  description: { whole: 3, beginning: 2, inside: 1 },
} as const satisfies Record<string, Worth>

type Fields = Readonly<Record<keyof typeof worths, string>>

/** Tools never change, so what is searched of one is made once. */
const searched = new WeakMap<CatalogTool, Fields>()

/** Words between spaces, so that a space in front of a word means its beginning. */
const spaced = (text: string, length: number): string =>
  // Cut again: folding makes some characters many.
  ` ${foldedWords(text.slice(0, length)).join(" ")} `.slice(0, length * 2)

const fieldsOf = (tool: CatalogTool): Fields => {
  const known = searched.get(tool)
  if (known !== undefined) return known
  const { name, title, annotations, description = "" } = tool.tool
  const words = spaced(name, searchedOf.name)
  const fields = {
    // In one word as well, for those who type `readfile` for `readFile`.
    name: `${words}${words.replaceAll(" ", "")} `,
    title: spaced(title ?? annotations?.title ?? "", searchedOf.title),
    description: spaced(description, searchedOf.description),
  }
  searched.set(tool, fields)
  return fields
}

const worthIn = (field: string, word: string, { whole, beginning, inside }: Worth): number => {
  if (!field.includes(word)) return 0
  if (!field.includes(` ${word}`)) return inside
  return field.includes(` ${word} `) ? whole : beginning
}

const scoreOf = (fields: Fields, words: ReadonlyArray<string>): Pick<Rank, "hits" | "score"> => {
  let hits = 0
  let score = 0
  for (const word of words) {
    const worth =
      worthIn(fields.name, word, worths.name) +
      worthIn(fields.title, word, worths.title) +
      worthIn(fields.description, word, worths.description)
    if (worth > 0) hits++
    score += worth
  }
  return { hits, score }
}

interface Rank extends Found {
  /** How many words of the query were found. */
  readonly hits: number
}

const isAmong = ({ tags: wanted, servers }: SearchOptions): ((tool: CatalogTool) => boolean) => {
  const among = servers === undefined ? undefined : new Set(servers)
  return ({ server, tags }) =>
    among?.has(server) !== false && (wanted?.every((tag) => tags.includes(tag)) ?? true)
}

/**
 * The tools that fit some words best. Words are compared without case and accents, with names, titles and
 * descriptions; who has more of the words comes first. Without words all tools fit, in their own order.
 */
export const search = (
  tools: ReadonlyArray<CatalogTool>,
  query: string,
  options: SearchOptions = {},
): ReadonlyArray<Found> => {
  const { limit = 20 } = options
  const words = [...new Set(foldedWords(query))].slice(0, mostWords)
  const among = tools.filter(isAmong(options))
  if (words.length === 0) return among.slice(0, limit).map((tool) => ({ tool, score: 0 }))
  return among
    .map((tool): Rank => ({ tool, ...scoreOf(fieldsOf(tool), words) }))
    .filter(({ hits }) => hits > 0)
    .toSorted((one, other) => other.hits - one.hits || other.score - one.score)
    .slice(0, limit)
    .map(({ tool, score }) => ({ tool, score }))
}
