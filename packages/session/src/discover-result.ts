import { isJsonObject, type JsonObject } from "@entente/protocol"
import { stringsIn } from "./plain-text.js"

/**
 * Whether a result proves the modern era: it has the list of versions and the capabilities that every
 * answer to `server/discover` must have (V26-DISC-02). A lax legacy server that answers the unknown
 * method with some other result proves nothing (T-09).
 */
export const isDiscoverResult = (result: JsonObject): boolean =>
  Array.isArray(result["supportedVersions"]) && isJsonObject(result["capabilities"])

/** The versions that a DiscoverResult names. */
export const versionsDiscovered = (discover: JsonObject): ReadonlyArray<string> =>
  stringsIn(discover["supportedVersions"])
