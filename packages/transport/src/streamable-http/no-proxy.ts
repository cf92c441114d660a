import { BlockList, isIP } from "node:net"

/** `host`, `.domain`, `*.domain`, each also with a port; an address, or a range of them. */
const entry =
  /^(?:\*?\.)?(\[[^\]]*\]|[^:/[\]]*|[0-9a-f:]*:[0-9a-f:]*:[0-9a-f:]*)(?:\/(\d+))?(?::(\d+))?$/i

const defaultPort: Readonly<Record<string, string>> = { "http:": "80", "https:": "443" }

/**
 * Whether a list of exceptions, as NO_PROXY has it, names a server. Entries are separated by commas or
 * spaces; a domain stands for everything under it too, with or without a leading dot, as for curl.
 *
 * @example
 * isExempt("corp.example,10.0.0.0/8,[::1]:8080", new URL("https://mcp.corp.example/")) // true
 */
export const isExempt = (list: string, url: URL): boolean =>
  list
    .split(/[\s,]+/)
    .filter((one) => one !== "")
    .some((one) => one === "*" || matches(one, url))

const matches = (text: string, url: URL): boolean => {
  const [, name = "", bits, port] = entry.exec(text) ?? []
  if (port !== undefined && port !== portOf(url)) return false
  const given = plain(name)
  const host = plain(url.hostname)
  if (given === "") return false
  if (isIP(given) === 0) return host === given || host.endsWith(`.${given}`)
  return isIP(host) !== 0 && holds(given, bits, host)
}

const portOf = ({ port, protocol }: URL): string =>
  port === "" ? (defaultPort[protocol] ?? "") : port

/** Lower case, without the brackets of IPv6 and the dot that ends a full name. */
const plain = (host: string): string => host.toLowerCase().replace(/^\[|\]$|\.$/g, "")

/** Whether an address is another one, or in the range that begins with it. */
const holds = (given: string, bits: string | undefined, host: string): boolean => {
  const family = familyOf(given)
  const widest = family === "ipv4" ? 32 : 128
  const prefix = bits === undefined ? widest : Number(bits)
  if (prefix > widest) return false
  const range = new BlockList()
  range.addSubnet(given, prefix, family)
  return range.check(host, familyOf(host))
}

const familyOf = (address: string): "ipv4" | "ipv6" => (isIP(address) === 6 ? "ipv6" : "ipv4")

/** Whether a server runs on this machine, where no proxy of a network belongs. */
export const isLoopback = (url: URL): boolean => {
  const host = plain(url.hostname)
  if (isIP(host) === 0) return host === "localhost" || host.endsWith(".localhost")
  return holds("127.0.0.0", "8", host) || holds("::1", undefined, host)
}
