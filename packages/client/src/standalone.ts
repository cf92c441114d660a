/**
 * Everything in one prebuilt file, with its dependencies inlined and `stdio` beside the rest: for scripts
 * and command lines on Node, which must start fast. Programs that are bundled anyway take the root entry.
 */
export * from "./index.js"
export { stdio, type StdioOptions } from "@entente/transport/stdio"
