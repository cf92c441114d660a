import { describe, expect, it } from "vitest"
import { readArguments } from "../src/arguments.js"
import { runHere } from "./world.js"

describe("the command line of tap", () => {
  it("takes a command after --, with everything that belongs to it", () => {
    expect(
      readArguments(["tap", "--trace", "t.jsonl", "--", "npx", "server", "--trace", "x"]),
    ).toMatchObject({
      name: "tap",
      trace: "t.jsonl",
      quiet: false,
      over: { kind: "stdio", command: "npx", args: ["server", "--trace", "x"] },
    })
  })

  it("takes a URL and a port", () => {
    const argv = [
      "tap",
      "--http",
      "https://a.example/mcp",
      "--port",
      "4000",
      "--trace",
      "t",
      "--quiet",
    ]
    expect(readArguments(argv)).toMatchObject({
      quiet: true,
      over: { kind: "http", url: "https://a.example/mcp", port: 4000 },
    })
  })

  it.each([
    [["--", "npx"], "tap needs a file to write to."],
    [["--trace", "t"], "There is no server to stand before."],
    [["--trace", "t", "npx"], 'tap takes no "npx".'],
    [["--trace", "t", "--port", "1", "--", "npx"], "--port is for --http."],
    [["--trace", "t", "--http", "http://x", "--", "npx"], "--http takes no command after --."],
    [
      ["--trace", "t", "--http", "http://x", "--port", "70000"],
      "--port takes a number from 0 to 65535.",
    ],
  ])("%j makes no sense, and says why", (argv, message) => {
    expect(() => readArguments(["tap", ...argv])).toThrow(message)
  })

  it("a file that cannot be written is found before the server is started", async () => {
    const { code, stderr } = await runHere([
      "tap",
      "--trace",
      "/no/such/folder/t",
      "--",
      "no-such-program",
    ])
    expect(code).toBe(1)
    expect(stderr).toContain("The trace cannot be written")
  })

  it("a URL that is none is a usage error, without the secret in it", async () => {
    const { code, stderr } = await runHere([
      "tap",
      "--trace",
      "/dev/null",
      "--http",
      "http://me:hunter2@x/mcp",
    ])
    expect(code).toBe(1)
    expect(stderr).toContain("Give them to the client")
    expect(stderr).not.toContain("hunter2")
  })
})
