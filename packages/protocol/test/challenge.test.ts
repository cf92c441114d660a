import { describe, expect, it } from "vitest"
import { parseChallenges } from "../src/index.js"

describe("parseChallenges", () => {
  it.each<[string, string, ReturnType<typeof parseChallenges>]>([
    [
      "quoted parameters",
      'Bearer resource_metadata="https://h.example/.well-known/x", scope="a:x b:y"',
      [
        {
          scheme: "bearer",
          parameters: {
            resource_metadata: "https://h.example/.well-known/x",
            scope: "a:x b:y",
          },
        },
      ],
    ],
    [
      "bare parameters",
      "Bearer error=insufficient_scope, scope=mcp:read",
      [{ scheme: "bearer", parameters: { error: "insufficient_scope", scope: "mcp:read" } }],
    ],
    [
      "several challenges",
      'Basic realm="x", Bearer error="invalid_token", realm="y", Digest',
      [
        { scheme: "basic", parameters: { realm: "x" } },
        { scheme: "bearer", parameters: { error: "invalid_token", realm: "y" } },
        { scheme: "digest", parameters: {} },
      ],
    ],
    [
      "commas inside quotes",
      'Bearer error_description="no, Basic realm=\\"z\\", really", scope="a"',
      [
        {
          scheme: "bearer",
          parameters: { error_description: 'no, Basic realm="z", really', scope: "a" },
        },
      ],
    ],
    [
      "escapes",
      'Bearer realm="a\\\\b\\"c\\d"',
      [{ scheme: "bearer", parameters: { realm: 'a\\b"cd' } }],
    ],
    [
      "token68",
      "Negotiate YWJj+/==, Bearer realm=x",
      [
        { scheme: "negotiate", parameters: { token68: "YWJj+/==" } },
        { scheme: "bearer", parameters: { realm: "x" } },
      ],
    ],
    ["a lone scheme", "Bearer", [{ scheme: "bearer", parameters: {} }]],
    [
      "schemes alone",
      "Negotiate, NTLM ,Bearer",
      [
        { scheme: "negotiate", parameters: {} },
        { scheme: "ntlm", parameters: {} },
        { scheme: "bearer", parameters: {} },
      ],
    ],
    [
      "upper case and spaces",
      '  BEARER   Realm = "x" ,, Scope="y" ',
      [{ scheme: "bearer", parameters: { realm: "x", scope: "y" } }],
    ],
    [
      "a missing comma",
      'Bearer error="invalid_token" error_description="expired"',
      [{ scheme: "bearer", parameters: { error: "invalid_token", error_description: "expired" } }],
    ],
    [
      "an empty value",
      'Bearer a="1", realm=, error="x", scope=""',
      [{ scheme: "bearer", parameters: { a: "1", realm: "", error: "x", scope: "" } }],
    ],
    [
      "an unfinished quote",
      'Bearer realm="x, y',
      [{ scheme: "bearer", parameters: { realm: "x, y" } }],
    ],
    [
      "a repeated parameter: the first counts",
      'Bearer scope="a", scope="b"',
      [{ scheme: "bearer", parameters: { scope: "a" } }],
    ],
    ["nothing", "", []],
    ["parameters without a scheme", 'realm="x", scope="y"', []],
    [
      "garbage before a challenge",
      '"lost, Basic", {}; Bearer realm=x',
      [
        { scheme: "lost", parameters: {} },
        { scheme: "basic", parameters: {} },
        { scheme: "bearer", parameters: { realm: "x" } },
      ],
    ],
  ])("V26-AUTH-02 reads %s", (_what, header, challenges) => {
    expect(parseChallenges(header)).toEqual(challenges)
  })

  it("a parameter called __proto__ is one like any other", () => {
    const [challenge] = parseChallenges('Bearer __proto__="x", constructor="y"')
    expect(Object.entries(challenge?.parameters ?? {})).toEqual([
      ["__proto__", "x"],
      ["constructor", "y"],
    ])
    expect(Object.getPrototypeOf(challenge?.parameters)).toBe(Object.prototype)
  })

  it("never throws, whatever the header", () => {
    const pieces = ['"', "\\", ",", "=", " ", "\t", "a", "Bearer", "/", "é", "\0", "==", "{", "☃"]
    let seed = 7
    const next = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below
    for (let run = 0; run < 5_000; run++) {
      const header = Array.from({ length: next(12) }, () => pieces[next(pieces.length)]).join("")
      for (const { scheme } of parseChallenges(header)) expect(scheme).not.toBe("")
    }
  })

  it("comes back from what it was written as", () => {
    const quote = (value: string) => `"${value.replaceAll(/["\\]/g, (found) => `\\${found}`)}"`
    const values = ["", "a b", 'say "x"', "back\\slash", "a,b=c", "Basic realm=1", "é"]
    for (const realm of values) {
      for (const scope of values) {
        const header = `Bearer realm=${quote(realm)}, scope=${quote(scope)}, Basic realm=${quote(realm)}`
        expect(parseChallenges(header)).toEqual([
          { scheme: "bearer", parameters: { realm, scope } },
          { scheme: "basic", parameters: { realm } },
        ])
      }
    }
  })

  it.each(["a ", "=", '"', "\\", "a=", ", ", "a== ", 'a="\\" ', " ", "a", "Bearer a=b,"])(
    "reads 200 kB of %j in one pass",
    (piece) => {
      const cost = (length: number) => {
        const header = piece.repeat(length / piece.length)
        const start = process.cpuUsage()
        parseChallenges(header)
        return process.cpuUsage(start).user
      }
      cost(1_000) // warms up
      // Quadratic work would be billions of steps: minutes of processor time, not seconds.
      expect(cost(200_000)).toBeLessThan(5_000_000)
    },
    60_000, // it is processor time that counts, not how busy the machine is
  )
})
