/**
 * What verdicts on an endpoint are kept under: its address as people see it, and where a secret was
 * hidden in that, a fingerprint, so that two endpoints which differ only in the secret stay apart
 * (V26-ERA-13).
 */
export const endpointKey = (endpoint: URL, target: string): string =>
  target === endpoint.href ? target : `${target} ${fingerprint(endpoint.href)}`

/** FNV-1a, 32 bits: enough to tell a few endpoints apart, too little to find a secret by. */
const fingerprint = (text: string): string => {
  let hash = 0x811c9dc5
  for (const byte of new TextEncoder().encode(text)) {
    hash = Math.imul(hash ^ byte, 0x01000193) >>> 0
  }
  return hash.toString(16).padStart(8, "0")
}
