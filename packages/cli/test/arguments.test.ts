import { describe, expect, it } from "vitest"
import { isGiven, readArguments } from "../src/arguments.js"
import { UsageError } from "../src/usage-error.js"

const read = (line: string) => readArguments(line.split(" ").filter((word) => word !== ""))

const plain = {
  json: false,
  color: true,
  era: "auto",
  headers: [],
  timeoutMs: undefined,
  strict: false,
  insecure: false,
  trace: undefined,
}

const url = { kind: "url", url: "https://example.com/mcp" }

const usageError = (argv: ReadonlyArray<string>): UsageError => {
  try {
    readArguments(argv)
  } catch (error) {
    if (error instanceof UsageError) return error
    throw error
  }
  throw new Error("no usage error")
}

describe("readArguments", () => {
  it.each([
    ["--help", { name: "help", topic: undefined }],
    ["-h", { name: "help", topic: undefined }],
    ["help", { name: "help", topic: undefined }],
    ["help call", { name: "help", topic: "call" }],
    ["call --help", { name: "help", topic: "call" }],
    ["tools -h", { name: "help", topic: "tools" }],
    ["--version", { name: "version" }],
    ["snapshot demo", { name: "snapshot", target: { kind: "demo", name: "demo", era: "dual" } }],
    [
      "tools demo:legacy",
      { name: "tools", target: { kind: "demo", name: "demo:legacy", era: "legacy" } },
    ],
    [
      "prompts demo:modern --json",
      { name: "prompts", json: true, target: { kind: "demo", name: "demo:modern", era: "modern" } },
    ],
    ["tools replay:out.jsonl", { target: { kind: "replay", path: "out.jsonl" } }],
    [
      "tools wss://example.com/mcp --header A:1",
      { headers: ["A:1"], target: { kind: "websocket", url: "wss://example.com/mcp" } },
    ],
    ["tools ws://10.0.0.1/ --insecure", { insecure: true, target: { kind: "websocket" } }],
    ["tools unix:/run/mcp.sock", { target: { kind: "unix", path: "/run/mcp.sock" } }],
    ["tools unix:///run/mcp.sock", { target: { kind: "unix", path: "/run/mcp.sock" } }],
    ["tools unix:./mcp.sock", { target: { kind: "unix", path: "./mcp.sock" } }],
    ["tools tcp://localhost:7400", { target: { kind: "tcp", host: "localhost", port: 7400 } }],
    ["tools tcp://[::1]:7400", { target: { kind: "tcp", host: "::1", port: 7400 } }],
    ["tools github", { target: { kind: "server", name: "github", config: undefined } }],
    ["tools toString", { target: { kind: "server", name: "toString" } }],
    [
      "tools github --config x.json --from cursor --header A:1",
      { headers: ["A:1"], target: { name: "github", config: "x.json", from: "cursor" } },
    ],
    ["tools odd:name --config x.json", { target: { kind: "server", name: "odd:name" } }],
    ["call github search q=x --from cursor", { tool: "search", target: { name: "github" } }],
    ["config list --from cursor --json", { action: "list", from: "cursor", json: true }],
    ["config check", { name: "config", action: "check", file: undefined }],
    ["config check x.json --from goose", { action: "check", file: "x.json", from: "goose" }],
    [
      "config translate x.json --to codex --copy-secrets",
      { action: "translate", file: "x.json", to: "codex", copySecrets: true },
    ],
    ["resources https://example.com/mcp", { name: "resources", target: url }],
    ["templates https://example.com/mcp --strict", { strict: true, target: url }],
    ["tools --era legacy https://example.com/mcp", { era: "legacy", target: url }],
    ["tools https://example.com/mcp --era=2025-06-18", { era: "2025-06-18" }],
    ["tools https://example.com/mcp --timeout 2.5", { timeoutMs: 2_500 }],
    ["tools https://example.com/mcp --no-color", { color: false }],
    ["tools https://example.com/mcp --trace out.jsonl", { trace: "out.jsonl" }],
    [
      "tools https://example.com/mcp --header A:1 --header B:2",
      { headers: ["A:1", "B:2"], target: url },
    ],
    [
      "tools --json -- node server.js --json --era x -- y",
      {
        json: true,
        target: {
          kind: "command",
          command: "node",
          args: ["server.js", "--json", "--era", "x", "--", "y"],
        },
      },
    ],
    [
      "call demo echo text=hi",
      { name: "call", tool: "echo", arguments: { text: "hi" }, target: { kind: "demo" } },
    ],
    [
      "call add a:=1 b:=2 --json -- node server.js",
      {
        name: "call",
        tool: "add",
        arguments: { a: 1, b: 2 },
        json: true,
        target: { kind: "command", command: "node", args: ["server.js"] },
      },
    ],
    ["charts", { name: "charts", chart: undefined }],
    ["charts connection --json", { name: "charts", chart: "connection", json: true }],
    [
      "charts task --format svg --state live.status --state live.looking --out pictures",
      { chart: "task", format: "svg", states: ["live.status", "live.looking"], out: "pictures" },
    ],
    ["demo", { name: "demo", era: "dual", over: { kind: "stdio" } }],
    ["demo --era legacy", { name: "demo", era: "legacy", over: { kind: "stdio" } }],
    ["demo --http", { name: "demo", over: { kind: "http", port: 0 } }],
    ["demo --http --port 3000", { name: "demo", over: { kind: "http", port: 3_000 } }],
  ])("reads %s", (line, expected) => {
    expect(read(line)).toMatchObject(expected)
  })

  it("fills in what was not given", () => {
    expect(read("tools https://example.com/mcp")).toEqual({ name: "tools", ...plain, target: url })
  })

  it.each([
    ["", "There is no command."],
    ["snapsot demo", "There is no command snapsot. Did you mean snapshot?"],
    ["xyz demo", "There is no command xyz."],
    ["help snapsot", "There is no command snapsot. Did you mean snapshot?"],
    ["--json tools demo", "A command comes first, then --json."],
    ["tools demo --jsn", "tools has no flag --jsn. Did you mean --json?"],
    ["tools demo --time 3", "tools has no flag --time. Did you mean --timeout?"],
    ["tools demo --args {}", "tools has no flag --args."],
    ["tools demo --zzzzzz", "tools has no flag --zzzzzz."],
    ["tools demo --__proto__", "tools has no flag --__proto__."],
    ["tools demo -j", "tools has no flag -j. Did you mean --json?"],
    ["charts --strict", "charts has no flag --strict."],
    ["tools demo --json=yes", "--json takes no value."],
    ["tools demo --era", "--era needs a value: --era ERA."],
    ["tools demo --era --json", "--era needs a value: --era ERA."],
    ["tools demo --era legacy --era modern", "--era is given more than once."],
    ["tools demo --timeout 0", "--timeout takes seconds, for example --timeout 2.5."],
    ["tools demo --timeout 1e9", "--timeout takes seconds, for example --timeout 2.5."],
    ["tools demo --timeout 9999999", "--timeout takes seconds, for example --timeout 2.5."],
    ["tools demo --timeout soon", "--timeout takes seconds, for example --timeout 2.5."],
    ["tools demo --header A:1", "--header is for a URL: other targets are not reached over HTTP."],
    ["tools", "There is no target."],
    ["tools --", "There is no command after --."],
    ["tools demo extra", 'tools takes no "extra".'],
    ["tools demo -- node server.js", 'tools takes no "demo".'],
    ["tools demo:future", "demo:future is neither a URL nor a demo."],
    ["tools ftp://example.com", "ftp://example.com is neither a URL nor a demo."],
    [
      "tools localhost:3000/mcp",
      "localhost:3000/mcp is no URL. Did you mean http://localhost:3000/mcp?",
    ],
    ["call demo", "There is no tool to call."],
    ["call demo echo text", "text is no argument of a tool."],
    ["call demo echo =x", "=x is no argument of a tool."],
    ["call demo echo :=1", ":=1 is no argument of a tool."],
    ["call demo add a:=one", "The value of a is not JSON."],
    ["call demo add a:=1 a:=2", "a is given more than once."],
    ["call demo add --args [1]", "--args is not a JSON object."],
    ["call demo add --args {", "--args is not JSON."],
    ["tools demo --config x.json", "--config and --from are for the name of a server in a file."],
    [
      "tools https://example.com/mcp --from cursor",
      "--config and --from are for the name of a server in a file.",
    ],
    ["config", "config needs one of list, check, translate."],
    ["config chck", "config has no chck. Did you mean check?"],
    ["config list x", 'config list takes no "x".'],
    ["config check a b", 'config check takes no "b".'],
    ["config check a --to codex", "--to is for translate."],
    ["config list --copy-secrets", "--copy-secrets is for translate."],
    ["config translate", "There is no file to translate."],
    ["config translate a", "translate needs --to CLIENT."],
    ["config check -- x", "config takes nothing after --."],
    ["charts a b", 'charts takes no "b".'],
    ["charts a --format svgg", "--format knows no svgg. Did you mean svg?"],
    ["charts a --format pdf", "--format knows no pdf."],
    ["charts --format svg", "--format is for one chart, or for files."],
    ["charts --state ready", "--state is for one chart."],
    ["charts a --format json --state b", "The format json has no place for --state."],
    ["charts -- x", "charts takes nothing after --."],
    ["demo x", 'demo takes no "x".'],
    ["demo -- x", "demo takes nothing after --."],
    ["demo --era auto", "--era of demo is one of dual, legacy, modern."],
    ["demo --port 3000", "--port is for --http."],
    ["demo --http --port 70000", "--port takes a number from 0 to 65535."],
    ["demo --http --port x", "--port takes a number from 0 to 65535."],
  ])("refuses %s", (line, message) => {
    const error = usageError(line.split(" ").filter((word) => word !== ""))
    expect(error.message).toBe(message)
    expect(error.hint).not.toBe("")
  })

  it("keeps the arguments of a tool apart from prototypes", () => {
    const invocation = readArguments(["call", "demo", "echo", '__proto__:={"x":1}'])
    const given = invocation.name === "call" ? invocation.arguments : {}
    expect(Object.hasOwn(given, "__proto__")).toBe(true)
    expect(Object.getPrototypeOf(given)).toBe(Object.prototype)
  })

  it("adds single arguments to those of --args", () => {
    const argv = ["call", "demo", "x", "b=c=d", "list:=[1,2]", "--args", '{"a":1,"b":2}']
    expect(readArguments(argv)).toMatchObject({ arguments: { a: 1, b: "c=d", list: [1, 2] } })
  })
})

describe("isGiven", () => {
  it("looks only at this command's own flags", () => {
    expect(isGiven(["tools", "demo", "--json"], "--json")).toBe(true)
    expect(isGiven(["tools", "--", "node", "--json"], "--json")).toBe(false)
  })
})
