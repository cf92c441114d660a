import { describe, expect, it } from "vitest"
import { readLog } from "../../src/index.js"
import { codes, messages, others, readFixture, said } from "./fixture.js"

const handshake = ["> initialize", "< =0", "> notifications/initialized"]

describe("logs of Claude Desktop", () => {
  it("a healthy one has every message, the process and what it wrote to stderr", () => {
    const reading = readFixture("claude-desktop-healthy.log")
    expect(reading).toMatchObject({ format: "claude-desktop", servers: ["ledger"], problems: [] })
    expect(messages(reading)).toEqual([
      ...handshake,
      "> tools/list",
      "> prompts/list",
      "< =1",
      "< !2",
    ])
    expect(others(reading)).toEqual([
      "spawned: /usr/local/bin/npx",
      "stderr: ledger: reading 3 books, api_key=‹redacted›",
    ])
    expect(reading.events[1]?.at).toBe(Date.UTC(2026, 9, 12, 8, 30, 1, 150))
  })

  it("a server that dies shows noise on stdout, stderr and the end, in lines that end as Windows ends them", () => {
    const reading = readFixture("claude-desktop-dies.log")
    expect(messages(reading)).toEqual(["> initialize"])
    expect(others(reading)).toEqual([
      "spawned: Server started and connected successfully",
      "stderr: Traceback (most recent call last):",
      'stderr:   File "ledger.py", line 3, in <module>',
      "stderr:     import ledgerlib",
      "stderr: ModuleNotFoundError: No module named 'ledgerlib'",
      "noise: Loading 3 books",
      "exited: Server transport closed",
      "error process-exited",
      "error closed",
    ])
  })

  it("messages that a bridge prints to stderr are not counted again", () => {
    const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}'
    const reading = readLog(
      `2026-10-12T08:30:01.100Z [ledger] [info] Message from client: ${ping}\n[7] [Local→Remote] ping\n${ping}\n`,
    )
    expect(messages(reading)).toEqual(["> ping"])
    expect(others(reading)).toEqual(["stderr: [7] [Local→Remote] ping", `stderr: ${ping}`])
  })

  it("of several servers the one with the most messages is read; repeated and cut messages are told", () => {
    const reading = readFixture("claude-desktop-both-servers.log")
    expect(reading).toMatchObject({
      servers: ["ledger", "Weather Desk (beta)"],
      server: "ledger",
    })
    expect(messages(reading)).toEqual([...handshake, "> tools/list", "> resources/list"])
    expect(others(reading)).toContain(
      "note log-cut: in: the answer to tools/list, id 1; 52653 characters are missing",
    )
    expect(codes(reading)).toEqual(["log-cut", "several-servers", "repeated"])
    expect(reading.problems[0]?.line).toBe(14)
  })

  it("another server is read where it is asked for, and a name that is not there is told", () => {
    const weather = { server: "Weather Desk (beta)" }
    const reading = readFixture("claude-desktop-both-servers.log", weather)
    expect(messages(reading)).toEqual(handshake)
    const none = readFixture("claude-desktop-both-servers.log", { server: "atlas" })
    expect(none.events).toEqual([])
    expect(codes(none)).toContain("no-such-server")
  })
})

describe("logs of Claude Code", () => {
  it("what --debug prints tells of the connection and of stderr, on as many lines as it has", () => {
    const reading = readFixture("claude-code-debug.txt")
    expect(reading).toMatchObject({ format: "claude-code", servers: ["ledger"] })
    expect(codes(reading)).toEqual(["no-messages"])
    expect(others(reading)).toEqual([
      "stderr: ledger: 3 books",
      "stderr: ledger: password=‹redacted›",
      "spawned: Successfully connected (transport: stdio) in 601ms",
    ])
    expect(said(reading)).toContainEqual(expect.stringContaining('"hasTools":true'))
  })

  it("the file of a server that could not be reached has the reason, though all of it is called error", () => {
    const reading = readFixture("claude-code-fails.jsonl")
    expect(reading.format).toBe("claude-code")
    expect(others(reading)).toEqual([
      "stderr: node:internal/modules",
      "stderr: Error: Cannot find module 'ledger'",
      "error closed",
    ])
  })

  it("the arrays of 2025 are read as well", () => {
    const reading = readFixture("claude-code-2025.json")
    expect(reading.format).toBe("claude-code")
    expect(others(reading)).toEqual([
      "error timeout",
      "exited: STDIO connection dropped after 20s uptime",
    ])
  })

  it("the beginning of a stream of JSON says how many tools of each server there are", () => {
    expect(readFixture("claude-code-stream.jsonl")).toMatchObject({ server: "ledger", shown: 2 })
    const weather = readFixture("claude-code-stream.jsonl", { server: "weather" })
    expect(weather.shown).toBe(0)
    expect(others(weather)).toEqual(["error client-error"])
  })
})

describe("logs of VS Code", () => {
  it("at the level Debug every message is there, and how many tools were found", () => {
    const reading = readFixture("vscode-healthy.log")
    expect(reading).toMatchObject({
      format: "vscode",
      servers: ["ledger"],
      shown: 2,
      problems: [],
    })
    expect(messages(reading)).toEqual([
      "> initialize",
      "< =1",
      "> notifications/initialized",
      "> tools/list",
      "< =2",
    ])
    expect(others(reading)).toEqual([
      "spawned: node ledger.js --token ‹redacted›",
      "stderr: ledger: 3 books",
    ])
  })

  it("at the level Info there are states and numbers only", () => {
    const reading = readFixture("vscode-no-tools.log")
    expect(reading).toMatchObject({ format: "vscode", shown: 0 })
    expect(codes(reading)).toEqual(["no-messages"])
    expect(others(reading)).toEqual(["noise: Starting ledger...\\n"])
  })

  it("at the level Trace statuses and headers are there, with sessions that can be told apart", () => {
    const reading = readFixture("vscode-http-refused.log")
    expect(others(reading)).toEqual(["POST 200", "POST 404", "error http-status"])
    const sessions = reading.events.flatMap((event) =>
      event.type === "http" ? [event.headers["mcp-session-id"]] : [],
    )
    expect(sessions).toEqual([undefined, "‹redacted 1›", "‹redacted 1›", undefined])
  })
})

describe("logs of Cursor", () => {
  it("a healthy one tells what was started and how many tools were found", () => {
    const reading = readFixture("cursor-healthy.log")
    expect(reading).toMatchObject({ format: "cursor", shown: 2 })
    expect(codes(reading)).toEqual(["no-messages"])
    expect(others(reading)).toEqual(["spawned: npx -y ledger-server --api-key ‹redacted›"])
  })

  it("older versions wrote all servers into one channel, by the end of their names", () => {
    const reading = readFixture("cursor-several.log", { server: "dger" })
    expect(reading.servers).toEqual(["dger", "user-weather"])
    expect(others(reading)).toContain("error command-not-found")
    const weather = readFixture("cursor-several.log", { server: "user-weather" })
    expect(weather.shown).toBe(3)
    expect(others(weather)).toEqual(["stderr: Processing request of type ListToolsRequest"])
  })

  it("a server that wants authorization is told by its code", () => {
    const reading = readFixture("cursor-unauthorized.log")
    expect(reading.shown).toBe(0)
    expect(others(reading)).toEqual([
      "error authorization-required",
      "error http-status",
      "exited: Client closed for command",
      "error client-error",
    ])
  })
})

describe("logs of Gemini CLI", () => {
  it("the debug file has stderr, failures by server, and numbers of tools", () => {
    const reading = readFixture("gemini-file.log", { server: "ledger" })
    expect(reading).toMatchObject({
      format: "gemini-cli",
      servers: ["ledger", "weather"],
      shown: 4,
    })
    expect(others(reading)).toEqual([
      "stderr: ledger: 3 books, token=‹redacted›",
      "stderr: ledger: ready",
    ])
    expect(others(readFixture("gemini-file.log", { server: "weather" }))).toEqual([
      "error command-not-found",
    ])
  })

  it("what was copied from the console is read with its frame", () => {
    const reading = readFixture("gemini-console.txt")
    expect(reading).toMatchObject({ format: "gemini-cli", servers: ["ledger"] })
    expect(others(reading)).toEqual(["noise: Loaded 3 b", "error client-error"])
    expect(codes(reading)).toEqual(["no-messages", "no-times"])
  })

  it("the list that /mcp prints says how many tools there are", () => {
    expect(readFixture("gemini-list.txt")).toMatchObject({ format: "gemini-cli", shown: 2 })
  })
})

describe("what the MCP Inspector exports and prints", () => {
  it("an export of messages puts every answer where it came", () => {
    const reading = readFixture("inspector-protocol.json")
    expect(reading).toMatchObject({ format: "inspector", problems: [] })
    expect(messages(reading)).toEqual([
      ...handshake,
      "> tools/list",
      "< notifications/message",
      "< =1",
    ])
  })

  it("an export of requests has statuses, and what authorization was looked for", () => {
    const reading = readFixture("inspector-network.json")
    expect(reading.format).toBe("inspector")
    expect(others(reading)).toEqual(["POST 401", "GET 404"])
    expect(reading.events).toContainEqual(
      expect.objectContaining({
        type: "outcome",
        outcome: expect.objectContaining({ _tag: "Rejected" }),
      }),
    )
  })

  it("the list that the command line prints is counted, and taken for no messages", () => {
    const reading = readFixture("inspector-cli.json")
    expect(reading).toMatchObject({ format: "inspector", shown: 2 })
    expect(said(reading)).toEqual(["A list of 2 tools: open_ledger, close_ledger"])
  })

  it("the proxy of version 1 tells what it started and what it could not read", () => {
    const reading = readFixture("inspector-proxy.log")
    expect(reading.format).toBe("inspector")
    expect(others(reading)).toEqual([
      "spawned: /usr/bin/node ledger.js --token ‹redacted›",
      "noise: Loaded 3 b",
    ])
    expect(said(reading)).toContain("Received POST message for sessionId ‹redacted 1›")
  })
})
