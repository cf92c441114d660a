export { stdio, type StdioOptions } from "./stdio.js"
export { childEnvironment, type Environment, type EnvironmentInput } from "./environment.js"
