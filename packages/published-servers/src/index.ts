export { installed, own, type Command } from "./installed.js"
export { freePort, listening, type Listening } from "./listening.js"
