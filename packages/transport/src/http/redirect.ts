import type { HttpRequest } from "./engine/http-engine.js"

export interface RedirectPolicy {
  /** Follow a redirect that only upgrades http to https on the same host and path (C095). */
  readonly upgradeToHttps: boolean
}

export interface Redirect {
  readonly method: HttpRequest["method"]
  readonly from: URL
  readonly status: number
  readonly location: string
  /** How many redirects have been followed for this message already. */
  readonly hops: number
}

export type RedirectVerdict =
  | { readonly kind: "Follow"; readonly url: URL }
  | { readonly kind: "Refuse"; readonly reason: string; readonly to: URL | undefined }

const maxHops = 5

/** The only statuses after which a request is repeated as it was; the others turn a POST into a GET. */
const keepsMethod = new Set([307, 308])

const isRedirect = (status: number): boolean =>
  keepsMethod.has(status) || status === 301 || status === 302 || status === 303

/** The address an answer points to, if it is a redirect. */
export const redirectLocation = (
  status: number,
  headers: Readonly<Record<string, string>>,
): string | undefined => (isRedirect(status) ? headers["location"] : undefined)

/**
 * Redirects are judged here, not by the HTTP client: it would send credentials after them, or repeat
 * a POST as a GET (C094, C095). Followed is what stays on the origin and keeps the method; nothing is
 * ever sent to another origin (V25-HTTP-36, V26-HTTP-19), with the one exception of the policy.
 */
export const judgeRedirect = (redirect: Redirect, policy: RedirectPolicy): RedirectVerdict => {
  const { method, from, status, hops } = redirect
  const to = URL.canParse(redirect.location, from.href)
    ? new URL(redirect.location, from)
    : undefined
  const refuse = (reason: string): RedirectVerdict => ({ kind: "Refuse", reason, to })
  if (to === undefined) return refuse("its Location is no address")
  if (to.username !== "" || to.password !== "") return refuse("its Location holds credentials")
  if (hops >= maxHops) return refuse(`it is the ${maxHops + 1}th in a row`)
  if (policy.upgradeToHttps && onlyUpgrades(from, to)) return { kind: "Follow", url: to }
  if (to.origin !== from.origin) {
    return refuse(
      from.protocol === "https:" && to.protocol === "http:"
        ? "it leads from https to http"
        : "it leads to another origin",
    )
  }
  if (method !== "GET" && !keepsMethod.has(status)) {
    return refuse(`a ${status} does not say that a ${method} may be repeated there`)
  }
  return { kind: "Follow", url: to }
}

const onlyUpgrades = (from: URL, to: URL): boolean =>
  from.protocol === "http:" &&
  to.protocol === "https:" &&
  from.host === to.host &&
  from.pathname === to.pathname &&
  from.search === to.search

/** The address a user should try instead of the one that redirected. */
export const suggestedAddress = (from: URL, to: URL): URL => {
  const suggested = new URL(to)
  // C094: an ingress that ends TLS tends to redirect to http by mistake.
  if (from.protocol === "https:" && to.protocol === "http:" && from.hostname === to.hostname) {
    suggested.protocol = "https:"
  }
  suggested.username = ""
  suggested.password = ""
  return suggested
}
