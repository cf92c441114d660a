import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { describe, expect, it } from "vitest"
import type { JsonObject, UrlParams } from "@entente/protocol"
import type { PageReport, UrlAnswer } from "@entente/client"
import { legacy, modern, registry } from "./registry.js"

const page = (url: string, more: JsonObject = {}): JsonObject => ({
  mode: "url",
  message: "Sign in",
  url,
  elicitationId: "e-1",
  ...more,
})

/** A registry whose person answers, and what they were shown. */
const shown = (answer: unknown = { action: "accept" }) => {
  const seen: Array<{ readonly params: UrlParams; readonly page: PageReport }> = []
  const all = registry({
    elicitation: {
      url: (params, context) => {
        seen.push({ params, page: context.page })
        return answer as UrlAnswer
      },
    },
  })
  const ask = (params: JsonObject, circumstances = legacy) =>
    all.ask("elicitation/create", params, circumstances)
  return { ...all, ask, seen }
}

describe("a page to be opened", () => {
  it("V25-ELI-08 V25-ELI-11 V26-ELIC-21 shows its whole address and its host before anything happens", async () => {
    const url = "https://auth.example.com:8443/link?e=9#top"
    const { ask, seen, noted } = shown()
    expect(await ask(page(url))).toEqual({ action: "accept" })
    expect(seen).toEqual([
      {
        params: page(url),
        page: { href: url, host: "auth.example.com:8443", warnings: [], seenBefore: false },
      },
    ])
    expect(noted()).toEqual([])
  })

  it.each([
    "not a url",
    "",
    "/relative",
    "javascript:alert(1)",
    "data:text/html,x",
    "file:///etc/passwd",
    "vbscript:x",
    "ftp://example.com/",
    "app://open",
    "https://",
    "https:\\\\evil.example",
    "https://good.example\\@evil.example/",
    " https://example.com/",
    "java\nscript:alert(1)",
    "https://exam\tple.com/",
  ])("V25-ELI-10 V26-ELIC-28 V26-SEC-07 %j reaches nobody", async (url) => {
    for (const circumstances of [legacy, modern]) {
      const { ask, seen } = shown()
      expect(await ask(page(url), circumstances)).toMatchObject({
        kind: "invalid-question",
        rpcCode: -32602,
        pointer: "/url",
      })
      expect(seen).toEqual([])
    }
  })

  it.each([
    ["http://example.com/", ["clear-text"]],
    ["http://127.0.0.1:3000/", []],
    ["http://localhost/", []],
    ["https://xn--pple-43d.com/", ["punycode"]],
    ["https://аpple.com/", ["punycode"]],
    ["https://login.xn--e1awd7f.com/", ["punycode"]],
    ["https://google.com@evil.example/", ["credentials"]],
    ["https://192.0.2.7/", ["numeric-host"]],
    ["https://3221225991/", ["numeric-host"]],
    ["https://[2001:db8::1]/", ["numeric-host"]],
    ["http://a:b@192.0.2.7/", ["clear-text", "numeric-host", "credentials"]],
  ])("V25-ELI-11 V26-ELIC-23 V26-SEC-07 %s is shown with warnings %j", async (url, warnings) => {
    const { ask, seen, noted } = shown()
    await ask(page(url))
    expect(seen.map((one) => one.page.warnings)).toEqual([warnings])
    expect(noted()).toEqual(warnings.length > 0 ? ["suspicious-url"] : [])
  })

  it("V26-SEC-07 V26-ELIC-28 is handed over as it was judged, so that nothing else can be opened", async () => {
    const { ask, seen } = shown()
    await ask(page("HTTPS://Exämple.com/a b".replace(" ", "%20")))
    expect(seen[0]?.params.url).toBe("https://xn--exmple-cua.com/a%20b")
    expect(seen[0]?.page.href).toBe(seen[0]?.params.url)
  })

  it("V26-ELIC-25 T-35 says when the same page comes again", async () => {
    const { ask, seen } = shown()
    await ask(page("https://a.example"), modern)
    await ask(page("https://a.example/"), modern)
    await ask(page("https://b.example/"), modern)
    expect(seen.map((one) => one.page.seenBefore)).toEqual([false, true, false])
  })

  it.each(["accept", "decline", "cancel"])(
    "V25-ELI-06 V25-ELI-12 V26-ELIC-05 V26-ELIC-24 %s goes out alone, at once, without content",
    async (action) => {
      const { ask } = shown({ action, content: { typed: "secret" } })
      expect(await ask(page("https://a.example/"))).toEqual({ action })
      expect(await ask(page("https://a.example/"), modern)).toEqual({ action })
    },
  )

  it("V25-ELI-10 V26-ELIC-26 needs an id in the legacy era, any string; the modern era has none", async () => {
    const { ask, seen } = shown()
    const odd = "\u0000 🗝 ../"
    await ask(page("https://a.example/", { elicitationId: odd }))
    expect(seen[0]?.params.elicitationId).toBe(odd)
    const bare = { mode: "url", message: "?", url: "https://a.example/" }
    expect(await ask(bare)).toMatchObject({ kind: "invalid-question", pointer: "/elicitationId" })
    expect(await ask(bare, modern)).toEqual({ action: "accept" })
  })

  it("V25-ELI-11 V25-SEC-04 V26-ELIC-20 V26-SEC-13 is never fetched by this side", async () => {
    let hits = 0
    const server = createServer((_, response) => {
      hits++
      response.end()
    })
    server.on("connection", () => hits++)
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const { port } = server.address() as AddressInfo
    const { ask, seen } = shown()
    expect(await ask(page(`http://127.0.0.1:${port}/`))).toEqual({ action: "accept" })
    expect(seen).toHaveLength(1)
    // Whatever had been begun would arrive before this connection of our own.
    await fetch(`http://127.0.0.1:${port}/`)
    expect(hits).toBe(2)
    server.closeAllConnections()
    server.close()
  })
})

describe("the completion of a page", () => {
  const waiting = () => {
    const completions: Array<Promise<void> | undefined> = []
    const { ask, questions } = registry({
      elicitation: {
        url: (_, { completion }) => {
          completions.push(completion)
          return { action: "accept" }
        },
      },
    })
    const heard: Array<string> = []
    questions.completed.add((id) => heard.push(id))
    return { ask, questions, completions, heard }
  }

  it("V25-ELI-12 is heard once, for what was asked; unknown ids and repetitions mean nothing", async () => {
    const { ask, questions, completions, heard } = waiting()
    questions.complete("e-1")
    await ask("elicitation/create", page("https://a.example/"))
    questions.complete("e-2")
    questions.complete("e-1")
    questions.complete("e-1")
    expect(heard).toEqual(["e-1"])
    await completions[0]
  })

  it("V26-ELIC-26 is not waited for in the modern era", async () => {
    const { ask, completions, questions, heard } = waiting()
    await ask("elicitation/create", page("https://a.example/"), modern)
    questions.complete("e-1")
    expect(completions).toEqual([undefined])
    expect(heard).toEqual([])
  })
})
