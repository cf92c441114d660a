import type { SchemaNode } from "../schema/schema-node.js"

/** Definitions that name each other in turn. */
const longestChain = 100

/** Whether any schema under `$defs` leads back to itself. */
export const isRecursive = (root: SchemaNode): boolean => {
  const definitions = root.members("$defs") ?? new Map<string, SchemaNode>()
  const state = new Map<string, "open" | "done">()
  const leadsBack = (node: SchemaNode, depth: number): boolean => {
    const reference = node.data("$ref")
    if (typeof reference === "string" && visit(reference.replace("#/$defs/", ""), depth))
      return true
    return [...node.children()].some(([child]) => leadsBack(child, depth))
  }
  const visit = (name: string, depth: number): boolean => {
    // As good as endless, and this is a recursion as well.
    if (depth > longestChain) return true
    const known = state.get(name)
    const definition = definitions.get(name)
    if (known !== undefined || definition === undefined) return known === "open"
    state.set(name, "open")
    const found = leadsBack(definition, depth + 1)
    state.set(name, "done")
    return found
  }
  return [...definitions.keys()].some((name) => visit(name, 0))
}
