import { describe, expect, it } from "vitest"
import { redactEvent, type TraceEvent } from "../src/index.js"

/** A small generator of repeatable randomness (xorshift). */
const seeded = (seed: number) => {
  let state = (seed * 2_654_435_761 + 1) >>> 0
  const below = (limit: number): number => {
    state ^= state << 13
    state ^= state >>> 17
    state ^= state << 5
    state >>>= 0
    return state % limit
  }
  return { below, pick: <A>(from: ReadonlyArray<A>): A => from[below(from.length)] as A }
}

type Random = ReturnType<typeof seeded>

const run = ({ pick }: Random, length: number): string =>
  Array.from({ length }, () =>
    pick([..."abcdefghjkmnpqrstuvwxyzABCDEFGHJKMNPQRSTUVWXYZ23456789"]),
  ).join("")

const base64 = (text: string): string => Buffer.from(text).toString("base64")

/** Texts that carry a secret, and betray it by their form. */
const carriers: ReadonlyArray<(secret: string) => string> = [
  (secret) => `Bearer ${secret}`,
  (secret) => `Authorization: ${secret}`,
  (secret) => `authorization: Basic ${secret}`,
  (secret) => `token=${secret}`,
  (secret) => `token: ${secret}`,
  (secret) => `GITHUB_TOKEN=${secret}`,
  (secret) => `SERVICE_KEY=${secret}`,
  (secret) => `password: ${secret}`,
  (secret) => `client_secret="${secret} ${secret}"`,
  (secret) => `{"apiKey":"${secret}","x":1}`,
  (secret) => JSON.stringify(JSON.stringify({ refresh_token: `${secret}"${secret}` })),
  (secret) => `{"credentials":{"one":"${secret}"}}`,
  (secret) => `--token ${secret}`,
  (secret) => `--api-key=${secret}`,
  (secret) => `Cookie: a=${secret}; b=${secret}`,
  (secret) => `Mcp-Session-Id: ${secret}`,
  (secret) => `https://user:${secret}@example.com/mcp`,
  (secret) => `https://example.com/mcp?x=1&access_token=${secret}`,
  (secret) => `https://example.com/cb#code=${secret}`,
  (secret) => `wss://example.com/?next=https%3A%2F%2Fu%3A${secret}%40h`,
  (secret) => `sk-${secret}${secret}${secret}`,
  (secret) => `ghp_${secret}${secret}${secret}`,
  (secret) => `xoxb-1234567890-${secret}`,
  (secret) => `eyJhbGciOiJIUzI1NiJ9.eyJzdWIi${secret}.${secret}`,
  (secret) => `-----BEGIN PRIVATE KEY-----\n${secret}\n-----END PRIVATE KEY-----`,
]

const words = ["list", "of", "tools", "error", "–", "100%", "\u001b[31m", "a=b", "x: y", "(", "“q”"]

/** A carrier among words, anywhere in the text, sometimes near the cut. */
const text = (random: Random, secret: string): string => {
  const around = () => Array.from({ length: random.below(6) }, () => random.pick(words)).join(" ")
  const far = random.below(40) === 0 ? "filler ".repeat(9_300 + random.below(80)) : ""
  return `${far}${around()}${random.pick([" ", "\n", ' "', " ("])}${random.pick(carriers)(secret)}${random.pick(["", " ", "\n"])}${around()}`
}

const secretNames = [
  "password",
  "token",
  "client_secret",
  "apiKey",
  "authorization",
  "requestState",
]
secretNames.push("refresh_token", "X-Api-Key", "accessToken", "sessionId", "DB_PASSWORD", "jwt")

/** A JSON value with the secret somewhere in it. */
const json = (random: Random, secret: string, depth = 0): unknown => {
  const kind = random.below(depth > 4 ? 5 : 9)
  if (kind === 0) return text(random, secret)
  if (kind === 1) return { [random.pick(secretNames)]: secret, other: "value" }
  if (kind === 2) return { [random.pick(secretNames)]: { deep: [1, secret, { deeper: secret }] } }
  if (kind === 3) return { name: random.pick(secretNames), value: secret }
  if (kind === 4) return { [`sk-${secret}${secret}${secret}`]: true }
  const inner = json(random, secret, depth + 1)
  if (kind === 5) return [null, inner, "x"]
  if (kind === 6) return { properties: inner, type: "object" }
  return { [random.pick(["params", "arguments", "__proto_", "content", "data"])]: inner, id: 7 }
}

/** One event of each type, with the secret in one of its members. */
const event = (random: Random, secret: string): TraceEvent => {
  const stamp = { seq: 1, at: 2 }
  const carried = text(random, secret)
  switch (random.below(9)) {
    case 0:
      return { ...stamp, type: "process", event: "stderr", detail: carried }
    case 1:
      return { ...stamp, type: "note", code: "late-reply", detail: carried }
    case 2:
      return { ...stamp, type: "error", code: "lost", stage: "open", message: carried }
    case 3: {
      const names = { chart: "session", event: "connect", from: "idle", to: "opening" }
      return { ...stamp, type: "transition", ...names, [random.pick(Object.keys(names))]: carried }
    }
    case 4: {
      const headers = {
        "x-note": "plain",
        [random.pick(["Authorization", ...secretNames])]: secret,
      }
      return { ...stamp, type: "http", exchange: 1, method: "POST", url: "/mcp", headers }
    }
    case 5: {
      const url = `https://a:${secret}@h/s/x?token=${secret}&q=${encodeURIComponent(carried)}`
      const headers = { "x-note": carried, authorization: `Basic ${base64(`u:${secret}`)}` }
      return { ...stamp, type: "http", exchange: 1, method: "GET", url, status: 200, headers }
    }
    default:
      return { ...stamp, type: "frame", direction: "in", message: json(random, secret) }
  }
}

describe("redactEvent", () => {
  it("lets no planted secret through, wherever it stands in whatever event", () => {
    for (let seed = 0; seed < 1_000; seed++) {
      const random = seeded(seed)
      const secret = `${run(random, 3 + random.below(8))}7${run(random, 3 + random.below(8))}`
      const made = event(random, secret)
      const before = JSON.stringify(made)
      expect(before).toContain(secret)
      const safe = redactEvent(made)
      const shown = JSON.stringify(safe)
      expect(shown.includes(secret) ? { seed, secret, before, shown } : "no secret").toBe(
        "no secret",
      )
      expect(JSON.stringify(made)).toBe(before)
      expect(safe).toMatchObject({ type: made.type, seq: 1, at: 2 })
      const isCut = shown.includes(" characters in all›")
      expect(isCut ? shown : JSON.stringify(redactEvent(safe))).toBe(shown)
    }
  }, 60_000)

  it("gives back the same event where nothing is secret", () => {
    const stamp = { seq: 1, at: 2 }
    const events: ReadonlyArray<TraceEvent> = [
      {
        ...stamp,
        type: "frame",
        direction: "out",
        message: { jsonrpc: "2.0", method: "ping", id: 1 },
      },
      {
        ...stamp,
        type: "http",
        exchange: 1,
        method: "POST",
        url: "https://h/mcp",
        headers: { a: "b" },
      },
      { ...stamp, type: "process", event: "exited", detail: "code 1" },
      { ...stamp, type: "transition", chart: "c", event: "e", from: "a", to: "b" },
      { ...stamp, type: "note", code: "late-reply", detail: "id 7" },
      { ...stamp, type: "error", code: "lost", stage: "request", message: "gone" },
    ]
    for (const one of events) expect(redactEvent(one)).toBe(one)
  })

  it("hides the names of the policy in every type of event", () => {
    const policy = { names: ["tenant"] }
    const http = { type: "http", exchange: 1, method: "GET", url: "/?tenant=abc" } as const
    expect(
      redactEvent({ seq: 1, at: 2, ...http, headers: { Tenant: "abc" } }, policy),
    ).toMatchObject({ url: "/?tenant=‹redacted›", headers: { Tenant: "‹redacted›" } })
    expect(
      redactEvent({ seq: 1, at: 2, type: "note", code: "x", detail: "tenant=abc" }, policy),
    ).toMatchObject({ detail: "tenant=‹redacted›" })
  })
})
