export { run } from "./run.js"
export { exitCodes, type ExitCode } from "./exit-code.js"
export type { Io, Output } from "./io.js"
