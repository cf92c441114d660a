import type { Era } from "@entente/protocol"
import { extensionTasks } from "./extension-tasks.js"
import { legacyTasks } from "./legacy-tasks.js"
import type { TaskDialect } from "./task-dialect.js"

const dialects: { readonly [E in Era]: TaskDialect } = {
  legacy: legacyTasks,
  modern: extensionTasks,
}

/** The shape that tasks have in an era; the two are not compatible (V26-TASK-25). */
export const dialectOf = (era: Era): TaskDialect => dialects[era]
