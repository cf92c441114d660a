import { isLoopback } from "@entente/transport"

/**
 * Why an address should make a person look twice: it is not encrypted, its host imitates letters
 * (Punycode) or is a number, or something that looks like a host stands before the real one.
 */
export type PageWarning = "clear-text" | "punycode" | "numeric-host" | "credentials"

/** What there is to say about a page before a person agrees to open it (V25-ELI-11, V26-ELIC-23). */
export interface PageReport {
  /** The whole address, as a browser would open it: to be shown in full. */
  readonly href: string
  /** The host, with its port if that is unusual: to be highlighted. */
  readonly host: string
  readonly warnings: ReadonlyArray<PageWarning>
  /** The same page was asked for before on this connection: not to be opened without a click (V26-ELIC-25). */
  readonly seenBefore: boolean
}

/** Spaces, control characters and backslashes: parsers disagree about them, and no valid URL has one. */
// eslint-disable-next-line no-control-regex -- they are what is looked for
const ambiguous = /[\u0000-\u0020\u007f\\]/

const warningsOf = (url: URL): ReadonlyArray<PageWarning> => {
  const { hostname } = url
  const local = isLoopback(hostname)
  const found: Readonly<Record<PageWarning, boolean>> = {
    "clear-text": url.protocol === "http:" && !local,
    punycode: hostname.split(".").some((label) => label.startsWith("xn--")),
    "numeric-host": !local && /^(?:\[.*\]|\d+(?:\.\d+){3})$/.test(hostname),
    credentials: url.username !== "" || url.password !== "",
  }
  return (Object.keys(found) as ReadonlyArray<PageWarning>).filter((warning) => found[warning])
}

/**
 * Reads the address of a page without fetching anything. Only `https:` and `http:` are pages; the rest,
 * and what parsers could read in two ways, is never offered to anybody (V26-ELIC-28, V26-SEC-07).
 */
export const readPage = (
  address: string,
): Omit<PageReport, "seenBefore"> | { readonly refused: string } => {
  if (ambiguous.test(address) || !URL.canParse(address)) return { refused: "not a valid URL" }
  const url = new URL(address)
  if (url.protocol !== "https:" && url.protocol !== "http:") {
    return { refused: "a URL that is neither https nor http" }
  }
  return { href: url.href, host: url.host, warnings: warningsOf(url) }
}
