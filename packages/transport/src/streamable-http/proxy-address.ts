import { basicCredentials } from "../url-credentials.js"
import type { ProxyChoice } from "./http-engine.js"
import { isExempt, isLoopback } from "./no-proxy.js"
import { ProxyFailure } from "./proxy-failure.js"

export type Environment = Readonly<Record<string, string | undefined>>

/** Where a proxy is, and what it has to be told. */
export interface ProxyAddress {
  /** Without credentials: as errors name it. */
  readonly origin: string
  readonly url: URL
  /** `Proxy-Authorization`, where its address has credentials. */
  readonly headers: Readonly<Record<string, string>>
}

/**
 * The proxy on the way to a server; undefined where there is none. What the environment says follows
 * curl: lower case wins, an empty value is none, and NO_PROXY makes exceptions. Servers on this machine
 * are never asked for through it. A proxy that the caller names is used for everything. Throws
 * `ProxyFailure` for an address that is none.
 *
 * @example
 * proxyFor(new URL("https://x.example/mcp"), "environment", { https_proxy: "http://proxy:3128" })
 */
export const proxyFor = (
  server: URL,
  choice: ProxyChoice,
  environment: Environment,
): ProxyAddress | undefined => {
  if (choice === false) return undefined
  if (choice !== "environment") return addressOf(choice)
  const given = named(server, environment)
  if (given === undefined || isLoopback(server)) return undefined
  return isExempt(variable(environment, "no_proxy") ?? "", server) ? undefined : parse(given)
}

const named = ({ protocol }: URL, environment: Environment): string | undefined => {
  const own = protocol === "https:" ? variable(environment, "https_proxy") : httpProxy(environment)
  return own ?? variable(environment, "all_proxy")
}

/**
 * In a CGI program HTTP_PROXY is what a client sent as the header `Proxy`: only lower case counts
 * there (httpoxy).
 */
const httpProxy = (environment: Environment): string | undefined =>
  environment["REQUEST_METHOD"] === undefined
    ? variable(environment, "http_proxy")
    : nonEmpty(environment["http_proxy"])

const variable = (environment: Environment, name: string): string | undefined =>
  nonEmpty(environment[name]) ?? nonEmpty(environment[name.toUpperCase()])

const nonEmpty = (value: string | undefined): string | undefined =>
  value === undefined || value.trim() === "" ? undefined : value.trim()

/** A name and a port without a scheme are an http proxy. */
const parse = (text: string): ProxyAddress => {
  const whole = /^[a-z][a-z0-9+.-]*:\/\//i.test(text) ? text : `http://${text}`
  if (!URL.canParse(whole)) throw new ProxyFailure("of the environment", undefined, noAddress)
  return addressOf(new URL(whole))
}

const noAddress = new Error("its address is no URL")

const addressOf = (url: URL): ProxyAddress => {
  if (!/^https?:$/.test(url.protocol)) {
    const cause = new Error("only http and https proxies are supported")
    throw new ProxyFailure(`${url.protocol}//${url.host}`, undefined, cause)
  }
  return { origin: url.origin, url, headers: authorization(url) }
}

const authorization = ({ username, password }: URL): Readonly<Record<string, string>> => {
  if (username === "" && password === "") return {}
  return { "proxy-authorization": basicCredentials(username, password) }
}
