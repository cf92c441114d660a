/** Results in files, for Node: `@entente/client/file-results`. */
export { fileResults } from "./cache/file-results.js"
export type { StoreBounds } from "./cache/store-bounds.js"
