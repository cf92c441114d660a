/**
 * The cycles of a graph (node → nodes it points to), one for each edge that closes one, each as the
 * list of its nodes.
 */
export const findCycles = (graph) => {
  const cycles = []
  const done = new Set()
  const path = []
  const visit = (node) => {
    const start = path.indexOf(node)
    if (start !== -1) {
      cycles.push(path.slice(start))
      return
    }
    if (done.has(node)) return
    path.push(node)
    for (const next of graph.get(node) ?? []) visit(next)
    path.pop()
    done.add(node)
  }
  for (const node of graph.keys()) visit(node)
  return cycles
}
