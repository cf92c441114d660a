import { canonicalJson } from "@entente/client"
import { SchemaNode } from "./schema-node.js"
import { written, writtenKeyword } from "./write.js"

/** Whether two schemas are the same, whatever the order of their keywords. */
export const sameSchema = (one: SchemaNode, other: SchemaNode): boolean =>
  one === other ||
  (one.verdict === other.verdict && canonicalJson(written(one)) === canonicalJson(written(other)))

/** Whether two schemas have the same under a keyword. */
export const sameKeyword = (one: SchemaNode, other: SchemaNode, keyword: string): boolean =>
  canonicalJson(writtenKeyword(one, keyword)) === canonicalJson(writtenKeyword(other, keyword))

/** The schemas of a list, each once, in order. */
export const distinct = (nodes: Iterable<SchemaNode>): ReadonlyArray<SchemaNode> => {
  const seen = new Map<string, SchemaNode>()
  for (const node of nodes) {
    const key = canonicalJson(node.verdict ?? written(node))
    if (!seen.has(key)) seen.set(key, node)
  }
  return [...seen.values()]
}
