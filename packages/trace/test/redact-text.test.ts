import { describe, expect, it } from "vitest"
import { redactText, redactUrl } from "../src/index.js"

const jwt = "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NSJ9.c2lnbmF0dXJl"

/** What goes in, and what comes out. */
const hidden: ReadonlyArray<readonly [string, string]> = [
  // settings
  ["DEBUG api_key=abc ok", "DEBUG api_key=‹redacted› ok"],
  ["OPENAI_KEY=abc sh run", "OPENAI_KEY=‹redacted› sh run"],
  ["password: hunter", "password: ‹redacted›"],
  ["dbPassword = 'a b' next", "dbPassword = '‹redacted›' next"],
  ["token=expired", "token=‹redacted›"],
  ["token: Bearer abc next", "token: Bearer ‹redacted› next"],
  ['{"token": "abc"}', '{"token": "‹redacted›"}'],
  ["password=token=abc next", "password=‹redacted› next"],
  ["token: abc123", "token: ‹redacted›"],
  ["client_secret=a&grant=b", "client_secret=‹redacted›&grant=b"],
  ["x session_id=abc y", "x session_id=‹redacted› y"],
  // JSON, and JSON inside JSON
  ['{"apiKey":"abc","user":"ada"}', '{"apiKey":"‹redacted›","user":"ada"}'],
  ['{"password":"a\\"bc","user":"ada"}', '{"password":"‹redacted›","user":"ada"}'],
  ['{\\"apiKey\\":\\"a\\\\\\"b\\",\\"u\\":1}', '{\\"apiKey\\":\\"‹redacted›\\",\\"u\\":1}'],
  ['{"token":{"value":["abc"]},"x":1}', '{"token":‹redacted›,"x":1}'],
  ['{"token":{"a":"}]abc\\"}"},"x":1}', '{"token":‹redacted›,"x":1}'],
  ['{\\"secrets\\":[\\"]abc\\"],\\"x\\":1}', '{\\"secrets\\":‹redacted›,\\"x\\":1}'],
  ['{"token":"never closed', '{"token":"‹redacted›'],
  // headers and command lines
  ["Authorization: Bearer abc", "Authorization: Bearer ‹redacted›"],
  ["curl -H 'Authorization: abc def' x", "curl -H 'Authorization: ‹redacted›' x"],
  ["Cookie: a=b; c=d\nHost: x", "Cookie: ‹redacted›\nHost: x"],
  ["Mcp-Session-Id: abc", "Mcp-Session-Id: ‹redacted›"],
  ["run --token abc --port 3000", "run --token ‹redacted› --port 3000"],
  ["run --api-key=abc --port 3000", "run --api-key=‹redacted› --port 3000"],
  // forms
  ["got Bearer abc123def", "got Bearer ‹redacted›"],
  ["got Basic dXNlcjpwYXNz", "got Basic ‹redacted›"],
  ["key sk-proj-abcdefghijklmnop, used", "key ‹redacted›, used"],
  ["ghp_abcdefghijklmnopqrst", "‹redacted›"],
  ["(AKIAABCDEFGHIJKLMNOP)", "(‹redacted›)"],
  [`id ${jwt}.`, "id ‹redacted›"],
  ["a -----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY----- b", "a ‹redacted› b"],
  ["a -----BEGIN PRIVATE KEY-----\nMIIE", "a ‹redacted›"],
  // URLs in text
  ["cannot reach postgres://u:p@db/x now", "cannot reach postgres://‹redacted›@db/x now"],
  ["see <https://x.y/?token=abc>", "see <https://x.y/?token=‹redacted›>"],
]

/** What is no secret, however much it looks like one. */
const innocent = [
  "",
  "hello, world",
  "tools/list",
  "token: expired",
  "Unexpected token: < in JSON",
  "uses a Bearer token for auth",
  "Basic usage: call it",
  "the Basic tier2024 plan",
  'Bearer error="invalid_token", error_description="The access token expired"',
  'Bearer resource_metadata="https://x.y/.well-known/oauth-protected-resource/mcp"',
  "eyJvZmZzZXQiOjEwfQ==",
  "progressToken: abc-123",
  "nextPageToken=abc",
  "maxTokens=100, tokens: 5",
  "key: value, code: 7, state: open",
  "task-management-system-for-everyone",
  "password=",
  "https://example.com/docs/tool?page=2#part",
  "a\u001b[31mred\u202e\u0000",
]

describe("redactText", () => {
  for (const [text, safe] of hidden) {
    it(`hides the secret in ${JSON.stringify(text).slice(0, 60)}`, () => {
      expect(redactText(text)).toBe(safe)
    })
  }

  for (const text of innocent) {
    it(`leaves ${JSON.stringify(text).slice(0, 60)} alone`, () => {
      expect(redactText(text)).toBe(text)
    })
  }

  it("changes nothing the second time", () => {
    for (const [, safe] of hidden) expect(redactText(safe)).toBe(safe)
  })

  it("hides the values of names in the policy, however they are spelled", () => {
    const policy = { names: ["x-tenant", "пароль"] }
    expect(redactText("X_TENANT=abc", policy)).toBe("X_TENANT=‹redacted›")
    expect(redactText('{"xTenant":"abc"}', policy)).toBe('{"xTenant":"‹redacted›"}')
    expect(redactText("tenant=abc", policy)).toBe("tenant=abc")
    expect(redactUrl("https://h/?%D0%BF%D0%B0%D1%80%D0%BE%D0%BB%D1%8C=abc", policy)).not.toContain(
      "abc",
    )
  })

  it("cuts a text that is too long, and says how much is missing", () => {
    const cut = redactText("ab ".repeat(30_000))
    expect(cut).toMatch(/^(?:ab )+a?b?…‹90000 characters in all›$/)
    expect(cut).toHaveLength(65_536)
    expect(redactText(cut)).toBe(cut)
    expect(redactText("x".repeat(65_536))).toBe("x".repeat(65_536))
    expect(redactText("abcdef", { maxTextLength: 4 })).toBe("…‹6 characters in all›")
  })

  it("hides a secret that the cut goes through", () => {
    for (let before = 20; before < 120; before++) {
      for (const carrier of [`sk-${"secret0".repeat(9)}`, `https://u:${"secret0".repeat(9)}@h/`]) {
        const text = `${"a ".repeat(before / 2)} ${carrier} ${"b ".repeat(9_000)}`
        expect(redactText(text, { maxTextLength: 100 })).not.toContain("secret0")
      }
    }
  })

  it("keeps what stands before a secret that is longer than the cut", () => {
    const text = `before token={"a":"${"secret ".repeat(20_000)}"} after`
    expect(redactText(text)).toBe(`before token=‹redacted›…‹${text.length} characters in all›`)
  })

  it("reads hostile texts in linear time", () => {
    const pieces = ["a", '"', "'", "\\", "-", " ", ".", "@", "=", "a=", "a: ", "token=", "token:{"]
    pieces.push(
      "eyJ-",
      "eyJabcdefgh.",
      "sk-",
      "http://",
      "http://a?u=",
      "%25",
      "/",
      "&x",
      "--token ",
    )
    pieces.push(
      "-----BEGIN PRIVATE KEY-----",
      "bearer ",
      "basic YTpi ",
      "authorization:",
      'token=\\"',
    )
    const before = process.cpuUsage()
    for (const piece of pieces) {
      for (const start of ["", "http://x", "http://x?a=", 'token="', "token={", "-a"]) {
        redactText(start + piece.repeat(60_000 / piece.length))
      }
    }
    const { user, system } = process.cpuUsage(before)
    // Linear: a second or two for all of them. Quadratic in one alone: more than that each.
    expect((user + system) / 1e6).toBeLessThan(10)
  }, 120_000)
})

describe("redactUrl", () => {
  for (const [url, safe] of [
    ["https://u:p@h/mcp?token=abc&page=2", "https://‹redacted›@h/mcp?token=‹redacted›&page=2"],
    ["https://u@h/", "https://‹redacted›@h/"],
    ["https://a:b@c:d@h/", "https://‹redacted›@h/"],
    ["https://h/?Access_Token=abc", "https://h/?Access_Token=‹redacted›"],
    [
      "https://h/?code=abc&state=x;key=y",
      "https://h/?code=‹redacted›&state=‹redacted›;key=‹redacted›",
    ],
    ["https://h/?%74oken=abc", "https://h/?%74oken=‹redacted›"],
    ["https://h/cb#access_token=abc&x=1", "https://h/cb#access_token=‹redacted›&x=1"],
    ["https://h/?next=https%3A%2F%2Fu%3Ap%40i%2F", "https://h/?next=‹redacted›"],
    ["https://h/?next=https%3A%2F%2Fu%3Ap%40i%2F100%", "https://h/?next=‹redacted›"],
    ["https://h/?q=Bearer+abc123def", "https://h/?q=‹redacted›"],
    ["https://h/?sk-abcdefghijklmnopqrst", "https://h/?‹redacted›"],
    ["https://h/?sk-abcdefghijklmnopqrst=1", "https://h/?‹redacted›"],
    ["https://h/s/NDQ5YjE2ZmEtNDk5Mi00/mcp", "https://h/s/‹redacted›/mcp"],
    ["https://h/6fa459ea-ee8a-3ca4-894e-db77e160355e/x", "https://h/‹redacted›/x"],
    ["https://h/ghp_abcdefghijklmnopqrst", "https://h/‹redacted›"],
    ["/messages?session_id=abc", "/messages?session_id=‹redacted›"],
    ["postgres://u:p@h/db", "postgres://‹redacted›@h/db"],
  ] as const) {
    it(`hides the secret in ${url}`, () => {
      expect(redactUrl(url)).toBe(safe)
      expect(redactUrl(safe)).toBe(safe)
    })
  }

  for (const url of [
    "http://localhost:3000/mcp",
    "https://example.com/a%20b/?q=hello+world&empty=&token=",
    "https://example.com/modelcontextprotocol/typescript-sdk",
    "memo://notes/6fa459ea-ee8a-3ca4-894e-db77e160355e",
    "https://example.com/%E0%A4%A",
    "mailto:someone@example.com",
  ]) {
    it(`leaves ${url} alone`, () => expect(redactUrl(url)).toBe(url))
  }

  it("gives up on URLs in URLs in URLs", () => {
    const url = (depth: number): string =>
      depth === 0 ? "x" : `https://h${depth}/?u=${url(depth - 1)}`
    expect(redactUrl(url(4))).toBe(url(4))
    expect(redactUrl(url(9_000))).toMatch(
      /^https:\/\/h9000\/\?u=‹redacted›…‹\d+ characters in all›$/,
    )
  })
})
