import { describe, expect, it } from "vitest"
import { isExempt } from "../src/streamable-http/no-proxy.js"
import { proxyFor, type Environment } from "../src/streamable-http/proxy-address.js"

const proxyOf = (server: string, environment: Environment) =>
  proxyFor(new URL(server), "environment", environment)?.url.href

describe("the proxy that the environment names", () => {
  it.each<[server: string, environment: Environment, proxy: string | undefined]>([
    ["http://x.example/", { HTTP_PROXY: "http://p:1" }, "http://p:1/"],
    ["https://x.example/", { HTTP_PROXY: "http://p:1" }, undefined],
    ["https://x.example/", { HTTPS_PROXY: "http://p:1" }, "http://p:1/"],
    ["https://x.example/", { https_proxy: "http://p:1", HTTPS_PROXY: "http://q:1" }, "http://p:1/"],
    ["http://x.example/", { ALL_PROXY: "https://p" }, "https://p/"],
    ["https://x.example/", { all_proxy: "http://p:1", https_proxy: "http://q:1" }, "http://q:1/"],
    ["http://x.example/", { http_proxy: "", HTTP_PROXY: "p.corp:3128" }, "http://p.corp:3128/"],
    ["http://x.example/", { http_proxy: " " }, undefined],
    ["http://x.example/", {}, undefined],
    // httpoxy: in a CGI program this variable is a header of whoever asks.
    ["http://x.example/", { HTTP_PROXY: "http://evil:1", REQUEST_METHOD: "POST" }, undefined],
    ["http://x.example/", { http_proxy: "http://p:1", REQUEST_METHOD: "POST" }, "http://p:1/"],
    ["https://x.example/", { HTTPS_PROXY: "http://p:1", REQUEST_METHOD: "POST" }, "http://p:1/"],
  ])("for %s with %j is %s", (server, environment, proxy) => {
    expect(proxyOf(server, environment)).toBe(proxy)
  })

  it.each([
    "http://localhost:3000/",
    "http://LOCALHOST./",
    "http://mcp.localhost/",
    "http://127.0.0.1/",
    "http://127.1.2.3:80/",
    "http://[::1]:8080/",
  ])("is never asked for %s", (server) => {
    expect(proxyOf(server, { http_proxy: "http://p:1" })).toBeUndefined()
  })

  it.each([
    "http://128.0.0.1/",
    "http://notlocalhost/",
    "http://localhost.example/",
    "http://[::2]/",
  ])("is asked for %s", (server) => {
    expect(proxyOf(server, { http_proxy: "http://p:1" })).toBe("http://p:1/")
  })

  it("is left out for whatever NO_PROXY names; lower case wins", () => {
    const http_proxy = "http://p:1"
    expect(proxyOf("http://a.example/", { http_proxy, NO_PROXY: "a.example" })).toBeUndefined()
    const both = { http_proxy, NO_PROXY: "a.example", no_proxy: "b.example" }
    expect(proxyOf("http://a.example/", both)).toBe("http://p:1/")
    expect(proxyOf("http://b.example/", both)).toBeUndefined()
  })

  it("gives its name and password as a header, and its address without them", () => {
    const address = proxyFor(new URL("http://x.example/"), "environment", {
      http_proxy: "http://me:p%40ss@p:1/",
    })
    expect(address?.origin).toBe("http://p:1")
    const basic = Buffer.from("me:p@ss").toString("base64")
    expect(address?.headers).toEqual({ "proxy-authorization": `Basic ${basic}` })
  })

  it.each(["socks5://me:secret@p:1", "http://[", "ftp://p"])("cannot be %s", (all_proxy) => {
    const finding = () => proxyOf("http://x.example/", { all_proxy })
    expect(finding).toThrow(/proxy/)
    expect(finding).not.toThrow(/secret/)
  })

  it("gives way to the one that the caller names, and to none", () => {
    const server = new URL("http://localhost/")
    const environment = { http_proxy: "http://p:1", no_proxy: "*" }
    expect(proxyFor(server, new URL("http://q:2"), environment)?.url.href).toBe("http://q:2/")
    expect(proxyFor(new URL("http://x.example/"), false, { http_proxy: "http://p:1" })).toBe(
      undefined,
    )
  })
})

describe("NO_PROXY", () => {
  it.each([
    ["*", "http://x.example/"],
    ["x.example", "http://x.example/"],
    ["X.Example", "http://x.example./"],
    ["example", "https://a.b.example/"],
    [".example", "https://a.example/"],
    ["*.example", "https://a.example/"],
    ["a, b  x.example", "http://x.example/"],
    ["x.example:8080", "http://x.example:8080/"],
    ["x.example:443", "https://x.example/"],
    ["10.1.2.3", "http://10.1.2.3/"],
    ["10.1.2.3:80", "http://10.1.2.3/"],
    ["10.0.0.0/8", "http://10.200.0.1/"],
    ["::1", "http://[::1]/"],
    ["[fd00::1]:8080", "http://[fd00::1]:8080/"],
    ["fd00::/8", "http://[fd12::3]/"],
    ["[fd00::]/8", "http://[fd12::3]/"],
  ])("%s excepts %s", (list, server) => {
    expect(isExempt(list, new URL(server))).toBe(true)
  })

  it.each([
    ["", "http://x.example/"],
    [",", "http://x.example/"],
    [".", "http://x.example/"],
    ["x.example", "http://notx.example/"],
    ["a.x.example", "http://x.example/"],
    ["x.example:8080", "http://x.example/"],
    ["10.0.0.0/8", "http://11.0.0.1/"],
    ["10.0.0.0/8", "http://10.example/"],
    ["10.0.0.0/99", "http://10.0.0.1/"],
    ["1.2.3.4", "http://[::1]/"],
    ["https://x.example", "http://x.example/"],
    ["[", "http://x.example/"],
  ])("%s does not except %s", (list, server) => {
    expect(isExempt(list, new URL(server))).toBe(false)
  })
})
