import { describe, expect, it } from "vitest"
import { redactCommand, redactHeaders, redactMessage } from "../src/index.js"

describe("redactMessage", () => {
  it("hides everything under a secret name, and nothing beside it", () => {
    expect(
      redactMessage({
        params: {
          name: "login",
          arguments: { password: "abc", apiKey: 7, user: "ada", token: "", otp: null, auth: true },
          credentials: { a: "b", list: ["c", 1, true, { d: "e" }] },
          _meta: { progressToken: "p1", "com.example/accessToken": "x" },
          requestState: "opaque",
        },
      }),
    ).toEqual({
      params: {
        name: "login",
        arguments: {
          password: "‹redacted›",
          apiKey: "‹redacted›",
          user: "ada",
          token: "",
          otp: null,
          auth: true,
        },
        credentials: {
          a: "‹redacted›",
          list: ["‹redacted›", "‹redacted›", true, { d: "‹redacted›" }],
        },
        _meta: { progressToken: "p1", "com.example/accessToken": "‹redacted›" },
        requestState: "‹redacted›",
      },
    })
  })

  it("hides secrets in texts and in names", () => {
    expect(
      redactMessage({ "sk-abcdefghijklmnopqrst": 1, content: ["run with token=abc"] }),
    ).toEqual({
      "‹redacted›": 1,
      content: ["run with token=‹redacted›"],
    })
  })

  it("hides the value beside a secret name", () => {
    const list = [
      { name: "API_KEY", value: "abc" },
      { key: "X-Auth-Token", value: ["abc"] },
      { name: "LANG", value: "en" },
    ]
    expect(redactMessage(list)).toEqual([
      { name: "API_KEY", value: "‹redacted›" },
      { key: "X-Auth-Token", value: ["‹redacted›"] },
      { name: "LANG", value: "en" },
    ])
  })

  it("keeps the schema of a secret readable, but not the values it shows", () => {
    const schema = (more: object) => ({
      inputSchema: {
        type: "object",
        properties: { password: { type: "string", description: "Yours", ...more } },
        required: ["password"],
      },
    })
    const plain = schema({ minLength: 8 })
    expect(redactMessage(plain)).toBe(plain)
    expect(redactMessage(schema({ default: "abc", examples: ["def"] }))).toEqual(
      schema({ default: "‹redacted›", examples: ["‹redacted›"] }),
    )
    expect(redactMessage({ password: { type: "abc" } })).toEqual({
      password: { type: "‹redacted›" },
    })
    expect(redactMessage({ properties: { password: "abc" } })).toEqual({
      properties: { password: "‹redacted›" },
    })
  })

  it("gives back the same object where nothing is secret, and never changes its input", () => {
    const innocent = { jsonrpc: "2.0", id: 1, result: { tools: [{ name: "a", n: [1, null, {}] }] } }
    expect(redactMessage(innocent)).toBe(innocent)
    const guilty = { kept: innocent, list: [innocent, { token: "abc" }] }
    const before = structuredClone(guilty)
    const safe = redactMessage(guilty) as typeof guilty
    expect(guilty).toEqual(before)
    expect(safe).not.toBe(guilty)
    expect(safe.kept).toBe(innocent)
    expect(safe.list[0]).toBe(innocent)
  })

  it("treats __proto__ as a name like any other", () => {
    const message: unknown = JSON.parse('{"__proto__":{"token":"abc","x":1},"y":{"__proto__":"z"}}')
    const safe = redactMessage(message) as object
    expect(Object.getPrototypeOf(safe)).toBe(Object.prototype)
    expect(JSON.stringify(safe)).toBe(
      '{"__proto__":{"token":"‹redacted›","x":1},"y":{"__proto__":"z"}}',
    )
  })

  it("is bounded in depth and size, also for what is no tree", () => {
    let deep: unknown = "bottom"
    for (let level = 0; level < 10_000; level++) deep = [deep]
    expect(JSON.stringify(redactMessage(deep))).toContain("‹too deep›")
    const cycle: { self?: unknown; both?: unknown } = {}
    cycle.self = cycle
    cycle.both = [cycle, cycle]
    expect(JSON.stringify(redactMessage(cycle))).toContain("‹too")
  }, 60_000)

  it("hides the names of the policy", () => {
    const policy = { names: ["tenant-id"] }
    expect(redactMessage({ tenantId: "abc", tenant: "x" }, policy)).toEqual({
      tenantId: "‹redacted›",
      tenant: "x",
    })
  })

  it("leaves what is no JSON alone", () => {
    for (const value of [undefined, null, true, 7, 7n]) expect(redactMessage(value)).toBe(value)
  })
})

describe("redactHeaders", () => {
  it("V25-SEC-01 hides secret headers in any case, and keeps the scheme of credentials", () => {
    expect(
      redactHeaders({
        Authorization: "Bearer abc",
        "proxy-authorization": "abc def",
        "X-API-Key": "abc",
        cookie: "a=b",
        "Set-Cookie": "a=b; Path=/",
        "mcp-session-id": "abc",
        "Mcp-Param-Password": "abc",
        location: "https://h/cb?code=abc",
        authorization: "",
        "x-csrf-token": "",
      }),
    ).toEqual({
      Authorization: "Bearer ‹redacted›",
      "proxy-authorization": "‹redacted›",
      "X-API-Key": "‹redacted›",
      cookie: "‹redacted›",
      "Set-Cookie": "‹redacted›",
      "mcp-session-id": "‹redacted›",
      "Mcp-Param-Password": "‹redacted›",
      location: "https://h/cb?code=‹redacted›",
      authorization: "",
      "x-csrf-token": "",
    })
  })

  it("gives back the same object where nothing is secret", () => {
    const headers = {
      "content-type": "application/json",
      "mcp-protocol-version": "2025-11-25",
      "mcp-method": "tools/list",
      "www-authenticate": 'Bearer resource_metadata="https://h/x", scope="a b"',
    }
    expect(redactHeaders(headers)).toBe(headers)
  })

  it("treats __proto__ as a name like any other", () => {
    const headers = JSON.parse('{"__proto__":"x","cookie":"a=b"}') as Record<string, string>
    expect(JSON.stringify(redactHeaders(headers))).toBe('{"__proto__":"x","cookie":"‹redacted›"}')
  })
})

describe("redactCommand", () => {
  const run = (...args: ReadonlyArray<string>) => redactCommand("npx", args).slice(1)

  it("hides the values of secret flags and variables", () => {
    expect(run("--token", "abc", "--api-key=abc", "-DdbPassword=abc")).toEqual([
      "--token",
      "‹redacted›",
      "--api-key=‹redacted›",
      "-DdbPassword=‹redacted›",
    ])
    expect(run("KEY=abc", "-e", "GITHUB_TOKEN=abc", "--env=key=abc")).toEqual([
      "KEY=‹redacted›",
      "-e",
      "GITHUB_TOKEN=‹redacted›",
      "--env=key=‹redacted›",
    ])
    expect(run("-u", "me:abc", "--token", "-abc")).toEqual([
      "-u",
      "‹redacted›",
      "--token",
      "‹redacted›",
    ])
  })

  it("hides headers, URLs, JSON and scripts in arguments", () => {
    expect(
      run(
        "--header",
        "Authorization: Bearer abc",
        "-H",
        "X-Api-Key:abc",
        "https://u:p@h/x",
        "--url=https://h/?token=abc",
        "--header=Authorization: Bearer abc",
        '{"apiKey":"abc"}',
        "TOKEN=abc server --port 1",
      ),
    ).toEqual([
      "--header",
      "Authorization: Bearer ‹redacted›",
      "-H",
      "X-Api-Key:‹redacted›",
      "https://‹redacted›@h/x",
      "--url=https://h/?token=‹redacted›",
      "--header=Authorization: Bearer ‹redacted›",
      '{"apiKey":"‹redacted›"}',
      "TOKEN=‹redacted›",
    ])
  })

  it("takes an endless argument", () => {
    expect(run("a=".repeat(100_000))[0]).toContain(" characters in all›")
  })

  it("leaves the rest alone", () => {
    const args = [
      "-y",
      "server",
      "--token",
      "--verbose",
      "--port",
      "3000",
      "PORT=1",
      "a=b",
      "--user",
    ]
    expect(redactCommand("node", args)).toEqual(["node", ...args])
  })
})
