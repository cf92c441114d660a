import { credentialFingerprint, sendsCookies } from "../credential-fingerprint.js"
import type { HeaderRecord, RequestDecorator } from "./request-decorator.js"

/** What may add credentials to a request besides its fixed headers. */
interface CredentialSources {
  readonly requestHeaders?: unknown
  readonly authorization?: RequestDecorator
  readonly fetch?: unknown
  readonly engine?: unknown
}

/**
 * What `Transport.credentials` says of requests over HTTP. All fixed headers count, whatever their names,
 * because any of them may be a key; so does the address, which may hold one. What a function of the caller
 * adds may be anybody's at the next request, so that then nothing can be said, unless it is a decorator that
 * knows what it adds.
 */
export const httpCredentials = (
  endpoint: URL,
  fixed: HeaderRecord,
  { requestHeaders, authorization, fetch, engine }: CredentialSources,
): (() => string | undefined) => {
  if (requestHeaders !== undefined || fetch !== undefined || engine !== undefined) {
    return () => undefined
  }
  let known: string | undefined
  const ofHeaders = (): string => {
    const headers = Object.entries(fixed).map(([name, value]) => [name.toLowerCase(), value])
    return (known ??= credentialFingerprint(endpoint.href, headers.toSorted()))
  }
  if (authorization === undefined) return () => (sendsCookies() ? undefined : ofHeaders())
  return () => {
    const added = sendsCookies() ? undefined : authorization.credentials?.()
    return added === undefined ? undefined : credentialFingerprint(ofHeaders(), added)
  }
}
