import { sha256 } from "@noble/hashes/sha2.js"
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js"

/**
 * What stands for credentials where they have to be told apart and must not be known: SHA-256 in hexadecimal
 * digits of everything that goes into them.
 */
export const credentialFingerprint = (...parts: ReadonlyArray<unknown>): string =>
  bytesToHex(sha256(utf8ToBytes(JSON.stringify(parts))))

/** Of a medium on which nobody says who they are: all who use it there are the same. */
export const noCredentials = (): string => "none"

/**
 * Whether the platform adds cookies of its own: a browser does, and a log-in on the page changes them without
 * anybody here hearing of it.
 */
export const sendsCookies = (): boolean =>
  "document" in globalThis || "WorkerGlobalScope" in globalThis
