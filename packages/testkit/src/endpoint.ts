import type { Medium } from "./check-script.js"
import type { Script } from "./script.js"

/** The path a script is played at. */
export const endpointOf = (script: Script, medium: Medium): string =>
  script.endpoint ?? (medium.name === "http+sse" ? "/sse" : "/mcp")
