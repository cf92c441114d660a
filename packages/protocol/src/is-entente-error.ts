import { errorCodes } from "./error-code.js"
import type { EntenteError } from "./errors.js"

/**
 * Whether something that was thrown is an error of the closed union, rather than anybody's own. Its form
 * decides, not its class, because two copies of this package may be loaded.
 */
export const isEntenteError = (thrown: unknown): thrown is EntenteError =>
  thrown instanceof Error &&
  "_tag" in thrown &&
  "stage" in thrown &&
  "target" in thrown &&
  "code" in thrown &&
  typeof thrown.code === "string" &&
  Object.hasOwn(errorCodes, thrown.code)
