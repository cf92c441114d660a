import { jsonPointer } from "@entente/protocol"

/** A value that is no schema, such as what stands under `type`, `enum` or `default`: the server's own. */
export class Data {
  readonly value: unknown

  constructor(value: unknown) {
    this.value = value
  }
}

/** What stands under a keyword: data, a schema, a list of them, or one for each name. */
export type KeywordValue =
  | Data
  | SchemaNode
  | ReadonlyArray<SchemaNode>
  | ReadonlyMap<string, SchemaNode>

/** A keyword of a schema. */
export interface Keyword {
  readonly value: KeywordValue
  /** A JSON pointer to where the server wrote it, or would have had to. */
  readonly at: string
}

export type Keywords = ReadonlyMap<string, Keyword>

const isList = (value: KeywordValue): value is ReadonlyArray<SchemaNode> => Array.isArray(value)

/**
 * A schema on its way from a server to a provider. What is data and what is a schema is settled once, when it
 * is read, so that no step takes a property called `items`, or an example, for a keyword. Never changed: each
 * step makes new ones.
 */
export class SchemaNode {
  /** A JSON pointer to where it stands in the server's definition of the tool. */
  readonly at: string
  readonly keywords: Keywords
  /** Constraints that had to go, as words for a description. */
  readonly lost: ReadonlyArray<string>
  /** Set for the schemas `true` and `false`, which have no keywords. */
  readonly verdict: boolean | undefined

  constructor(
    at: string,
    keywords: Keywords = new Map(),
    lost: ReadonlyArray<string> = [],
    verdict?: boolean,
  ) {
    this.at = at
    this.keywords = keywords
    this.lost = lost
    this.verdict = verdict
  }

  /** Whether no value at all conforms. */
  get refusesAll(): boolean {
    return this.verdict === false
  }

  has(keyword: string): boolean {
    return this.keywords.has(keyword)
  }

  /** Where a keyword stands, or would have to. */
  pointer(keyword: string): string {
    return this.keywords.get(keyword)?.at ?? this.at + jsonPointer([keyword])
  }

  data(keyword: string): unknown {
    const value = this.keywords.get(keyword)?.value
    return value instanceof Data ? value.value : undefined
  }

  schema(keyword: string): SchemaNode | undefined {
    const value = this.keywords.get(keyword)?.value
    return value instanceof SchemaNode ? value : undefined
  }

  list(keyword: string): ReadonlyArray<SchemaNode> | undefined {
    const value = this.keywords.get(keyword)?.value
    return value !== undefined && isList(value) ? value : undefined
  }

  members(keyword: string): ReadonlyMap<string, SchemaNode> | undefined {
    const value = this.keywords.get(keyword)?.value
    return value instanceof Map ? value : undefined
  }

  /** With another value under a keyword; `at` says where it comes from, if not from here. */
  with(keyword: string, value: KeywordValue, at = this.pointer(keyword)): SchemaNode {
    return this.withKeywords(new Map(this.keywords).set(keyword, { value, at }))
  }

  withData(keyword: string, value: unknown, at?: string): SchemaNode {
    return this.with(keyword, new Data(value), at)
  }

  without(...keywords: ReadonlyArray<string>): SchemaNode {
    if (!keywords.some((keyword) => this.has(keyword))) return this
    const kept = new Map(this.keywords)
    for (const keyword of keywords) kept.delete(keyword)
    return this.withKeywords(kept)
  }

  withKeywords(keywords: Keywords): SchemaNode {
    return new SchemaNode(this.at, keywords, this.lost)
  }

  losing(...lost: ReadonlyArray<string>): SchemaNode {
    if (lost.length === 0) return this
    const all = [...new Set([...this.lost, ...lost])]
    return new SchemaNode(this.at, this.keywords, all, this.verdict)
  }

  /** The same schema with each one directly inside it replaced; this very one where none is. */
  map(replace: (child: SchemaNode, keyword: string) => SchemaNode): SchemaNode {
    const changed = new Map<string, Keyword>()
    for (const [keyword, { value, at }] of this.keywords) {
      if (value instanceof Data) continue
      const other = replaced(value, (each) => replace(each, keyword))
      if (other !== value) changed.set(keyword, { value: other, at })
    }
    return changed.size === 0 ? this : this.withKeywords(new Map([...this.keywords, ...changed]))
  }

  /** The schemas directly inside this one, with the steps that lead to each. */
  *children(): Generator<readonly [child: SchemaNode, steps: ReadonlyArray<string>], void> {
    for (const [keyword, { value }] of this.keywords) {
      if (value instanceof Data) continue
      if (value instanceof SchemaNode) yield [value, [keyword]]
      else {
        for (const [name, each] of value.entries()) yield [each, [keyword, String(name)]]
      }
    }
  }
}

const replaced = (
  value: SchemaNode | ReadonlyArray<SchemaNode> | ReadonlyMap<string, SchemaNode>,
  replace: (child: SchemaNode) => SchemaNode,
): KeywordValue => {
  if (value instanceof SchemaNode) return replace(value)
  if (value instanceof Map) {
    const members = new Map<string, SchemaNode>()
    let isSame = true
    for (const [name, each] of value) {
      const other = replace(each)
      if (other !== each) isSame = false
      members.set(name, other)
    }
    return isSame ? value : members
  }
  const list = [...value.values()]
  const others = list.map(replace)
  return others.some((other, index) => other !== list[index]) ? others : value
}

/** The schema that any value conforms to. */
export const anything = (at: string): SchemaNode => new SchemaNode(at)
