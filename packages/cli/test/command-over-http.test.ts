import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest"
import { serveHttp, type DemoHttpServer } from "../src/demo/http.js"
import { runHere } from "./world.js"

// The first run loads every package of the client.
vi.setConfig({ testTimeout: 30_000 })

let dual: DemoHttpServer
let legacy: DemoHttpServer
let modern: DemoHttpServer
beforeAll(async () => {
  dual = await serveHttp("dual", "0.0.0", 0)
  legacy = await serveHttp("legacy", "0.0.0", 0)
  modern = await serveHttp("modern", "0.0.0", 0)
})
afterAll(() => Promise.all([dual.close(), legacy.close(), modern.close()]))

const list = (pages: number, amount: number) => ({
  status: "complete",
  pages,
  items: { length: amount },
  quarantined: [],
})

describe("entente snapshot", () => {
  it.each([
    ["dual", () => dual, "modern", "2026-07-28"],
    ["legacy", () => legacy, "legacy", "2025-11-25"],
    ["modern", () => modern, "modern", "2026-07-28"],
  ] as const)("shows a %s server as JSON", async (_, server, era, protocolVersion) => {
    const { code, stdout, stderr } = await runHere(["snapshot", server().url, "--json"])
    expect([code, stderr, stdout.split("\n").length]).toEqual([0, "", 2])
    const snapshot = JSON.parse(stdout) as Readonly<Record<string, unknown>>
    expect(snapshot).toMatchObject({
      transport: "streamable-http",
      era,
      protocolVersion,
      server: { name: "reading-room", version: "0.0.0" },
      lists: {
        tools: list(2, 9),
        prompts: list(1, 2),
        resources: list(2, 7),
        templates: list(1, 2),
      },
      notes: [],
    })
    expect(Object.keys(snapshot).toSorted()).toEqual([
      "capabilities",
      "era",
      "lists",
      "notes",
      "protocolVersion",
      "requests",
      "server",
      "target",
      "timings",
      "transport",
    ])
    expect(Object.keys(snapshot["timings"] as object)).toEqual(["openMs", "negotiateMs", "listMs"])
  })

  it.each(["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"])(
    "holds a server to %s",
    async (revision) => {
      const { stdout } = await runHere(["snapshot", dual.url, "--json", "--era", revision])
      expect(JSON.parse(stdout)).toMatchObject({ era: "legacy", protocolVersion: revision })
    },
  )

  it("shows it to people, with a live line on their terminal that is gone at the end", async () => {
    const { code, stdout, stderr } = await runHere(["snapshot", modern.url], {
      isTTY: true,
      columns: 60,
    })
    expect(code).toBe(0)
    expect(stdout).toContain("\u001b[1mThe Reading Room (reading-room 0.0.0)\u001b[22m\n")
    expect(stdout).toContain("modern, protocol 2026-07-28")
    expect(stdout).toContain("  echo           Says what it is told.\n")
    expect(stdout).toContain("…\n")
    expect(stderr).toContain("tools 5 (page 1)")
    expect(stderr).toContain("tools 9 (page 2)")
    expect(stderr.endsWith("\r\u001b[2K")).toBe(true)
  })

  it("writes neither colours nor a live line where nobody looks", async () => {
    const { stdout, stderr } = await runHere(["snapshot", modern.url])
    expect(stdout).not.toContain("\u001b")
    expect(stderr).toBe("")
  })
})

describe("entente tools, prompts, resources, templates", () => {
  it.each([
    ["tools", list(2, 9), "search_books"],
    ["prompts", list(1, 2), "mood [evenings]"],
    ["resources", list(2, 7), "library://book/hound"],
    ["templates", list(1, 2), "library://shelf/{name}"],
  ])("%s lists one kind", async (command, expected, text) => {
    const json = await runHere([command, dual.url, "--json"])
    expect(json.code).toBe(0)
    expect(JSON.parse(json.stdout)).toMatchObject(expected)
    const plain = await runHere([command, dual.url, "--era", "legacy"])
    expect(plain.code).toBe(0)
    expect(plain.stdout).toContain(text)
  })
})

describe("entente call", () => {
  it("prints text and structured content", async () => {
    const called = await runHere(["call", modern.url, "add", "a:=2", "b:=3"])
    expect(called).toEqual({ code: 0, stdout: '5\n{\n  "sum": 5\n}\n', stderr: "" })
  })

  it("shows progress on a terminal, and nothing of it where nobody looks", async () => {
    const argv = ["call", modern.url, "slow", "seconds:=0"]
    const watched = await runHere(argv, { isTTY: true, columns: 60 })
    expect(watched.code).toBe(0)
    expect(watched.stderr).toContain("slow: 5 of 5, Chapter 5 of 5 is read …")
    expect(watched.stderr.endsWith("\r\u001b[2K")).toBe(true)
    expect((await runHere(argv)).stderr).toBe("")
  })

  it("prints the whole result as JSON", async () => {
    const { code, stdout } = await runHere(["call", legacy.url, "echo", "text=hi", "--json"])
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toEqual({ content: [{ type: "text", text: "hi" }] })
  })

  it("shows what a tool says without obeying it", async () => {
    const text = "two\nlines\u001b[2J\u009b1m"
    const { stdout } = await runHere(["call", legacy.url, "echo", `text=${text}`])
    expect(stdout).toBe("two\nlines\\x1b[2J\\x9b1m\n")
    const json = await runHere(["call", legacy.url, "echo", `text=${text}`, "--json"])
    expect(json.stdout.trimEnd()).not.toMatch(/\p{Cc}/u)
  })

  it("exits with 5 when the tool reports an error, and says so", async () => {
    expect(await runHere(["call", modern.url, "fail"])).toEqual({
      code: 5,
      stdout: "The page is torn; nothing can be read here.\n",
      stderr: "error: the tool reported an error.\n",
    })
    const { code, stdout, stderr } = await runHere(["call", legacy.url, "fail", "--json"])
    expect([code, stderr]).toEqual([5, ""])
    expect(JSON.parse(stdout)).toMatchObject({ isError: true })
  })

  it("exits with 6 when the server answers with an error", async () => {
    const { code, stderr } = await runHere(["call", modern.url, "nothing", "--json"])
    expect(code).toBe(6)
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: "peer-error", stage: "request" } })
  })

  it("exits with 4 when the answer takes longer than --timeout", async () => {
    const argv = ["call", legacy.url, "slow", "seconds:=60", "--timeout", "0.2", "--json"]
    const { code, stderr } = await runHere(argv)
    expect(code).toBe(4)
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: "timeout" } })
  })
})

describe("entente with a server that refuses", () => {
  const answerWith = async (
    serve: (incoming: IncomingMessage, response: ServerResponse) => void,
    use: (url: string) => Promise<void>,
  ): Promise<void> => {
    const server = createServer((incoming, response) => {
      incoming.resume().on("end", () => serve(incoming, response))
    })
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
    const { port } = server.address() as AddressInfo // a TCP server has no other kind of address
    await use(`http://127.0.0.1:${port}/mcp`)
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }

  it("exits with 3 when authorization is needed, and tells nobody the header it sent", async () => {
    const seen: Array<string | undefined> = []
    await answerWith(
      ({ headers }, response) => {
        seen.push(headers.authorization)
        response.writeHead(401, { "www-authenticate": "Bearer" }).end()
      },
      async (url) => {
        const header = ["--header", "Authorization: Bearer s3cr3t"]
        const json = await runHere(["snapshot", url, "--json", ...header])
        expect([json.code, json.stdout]).toEqual([3, ""])
        expect(json.stderr.split("\n")).toHaveLength(2)
        expect(JSON.parse(json.stderr)).toMatchObject({
          error: { code: "authorization-required", stderr: "" },
        })
        const plain = await runHere(["snapshot", url, ...header])
        expect(plain.stderr).toContain("hint: ")
        expect(`${json.stderr}${plain.stderr}`).not.toContain("s3cr3t")
      },
    )
    expect(new Set(seen)).toEqual(new Set(["Bearer s3cr3t"]))
  })

  it("exits with 6 when a web page answers", async () => {
    await answerWith(
      (_, response) => {
        response.writeHead(200, { "content-type": "text/html" }).end("<h1>hi</h1>")
      },
      async (url) => {
        const { code, stderr } = await runHere(["tools", url, "--json"])
        expect(code).toBe(6)
        expect(JSON.parse(stderr)).toMatchObject({
          error: { attempts: [{ what: "server/discover" }, { what: "initialize" }] },
        })
      },
    )
  })

  it("exits with 4 when nobody listens", async () => {
    const closed = await serveHttp("dual", "0.0.0", 0)
    await closed.close()
    const { code, stderr } = await runHere(["snapshot", closed.url, "--json"])
    expect(code).toBe(4)
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: "unreachable" } })
  })

  it("exits with 6 when no version is common", async () => {
    const { code } = await runHere(["tools", modern.url, "--era", "2025-06-18"])
    expect(code).toBe(6)
  })

  it.each([
    ["a missing target", ["tools"]],
    ["an unknown era", ["tools", "http://127.0.0.1:1/mcp", "--era", "ancient"]],
    ["a header with a line break", ["tools", "http://127.0.0.1:1/mcp", "--header", "X: a\r\nY: b"]],
    [
      "a header given twice",
      ["tools", "http://127.0.0.1:1/mcp", "--header", "X:a", "--header", "x:b"],
    ],
    ["an unknown chart", ["charts", "conection"]],
  ])("exits with 1 for %s", async (_, argv) => {
    const { code, stdout, stderr } = await runHere([...argv, "--json"])
    expect([code, stdout]).toEqual([1, ""])
    expect(JSON.parse(stderr)).toMatchObject({ error: { code: "invalid-input", stage: "input" } })
  })

  it("exits with 130 when it is interrupted", async () => {
    const signal = AbortSignal.abort()
    expect(await runHere(["snapshot", modern.url], { signal })).toEqual({
      code: 130,
      stdout: "",
      stderr: "interrupted\n",
    })
  })
})

describe("entente --trace", () => {
  const folder = mkdtempSync(join(tmpdir(), "entente-trace-"))
  afterAll(() => rmSync(folder, { recursive: true }))

  it("writes what happened to a file, without the headers that were given", async () => {
    const trace = join(folder, "out.jsonl")
    const header = ["--header", "X-Pass: s3cr3t"]
    const { code } = await runHere(["tools", modern.url, "--trace", trace, ...header])
    expect(code).toBe(0)
    const text = readFileSync(trace, "utf8")
    const types = text
      .trimEnd()
      .split("\n")
      .map((line) => (JSON.parse(line) as { readonly type?: string }).type)
    expect(types).toEqual(expect.arrayContaining(["frame", "http", "transition"]))
    expect(text).toContain("server/discover")
    expect(text).toMatch(/x-pass/i)
    expect(text).not.toContain("s3cr3t")
  })

  it("writes what replay:FILE plays back, without the server", async () => {
    const trace = join(folder, "session.jsonl")
    const taken = await runHere(["snapshot", modern.url, "--trace", trace, "--json"])
    const { timings: _, ...first } = JSON.parse(taken.stdout) as Record<string, unknown>
    const again = await runHere(["snapshot", `replay:${trace}`, "--json"])
    expect(again.stderr).toBe("")
    const { timings: __, ...second } = JSON.parse(again.stdout) as Record<string, unknown>
    expect(second).toEqual(first)
    const tools = await runHere(["tools", `replay:${trace}`])
    expect(tools.code).toBe(0)
    expect(tools.stdout).toBe((await runHere(["tools", modern.url])).stdout)
  })

  it("says what is not in a recording", async () => {
    const trace = join(folder, "tools.jsonl")
    await runHere(["tools", modern.url, "--trace", trace])
    const { code, stdout } = await runHere(["prompts", `replay:${trace}`, "--json"])
    expect(code).toBe(6)
    expect(JSON.parse(stdout)).toMatchObject({
      status: "unavailable",
      reason: { code: "replay-diverged", message: expect.stringContaining("prompts/list") },
    })
  })

  it.each([
    ["that is not there", "none.jsonl", "The recording cannot be read: ENOENT"],
    ["that holds no recording", "empty.jsonl", "holds no recording"],
  ])("refuses a file %s", async (_, name, why) => {
    if (name === "empty.jsonl") writeFileSync(join(folder, name), "")
    const { code, stderr } = await runHere(["tools", `replay:${join(folder, name)}`, "--json"])
    expect(code).toBe(1)
    expect(JSON.parse(stderr)).toMatchObject({ error: { message: expect.stringContaining(why) } })
  })

  it("sends nothing when the file cannot be written", async () => {
    const { code, stderr } = await runHere(["tools", modern.url, "--trace", folder, "--json"])
    expect(code).toBe(1)
    expect(JSON.parse(stderr)).toMatchObject({
      error: { message: expect.stringContaining("The trace cannot be written: EISDIR") },
    })
  })
})

describe("entente", () => {
  it("shows help and version", async () => {
    expect((await runHere(["--help"])).stdout).toContain("Usage: entente COMMAND")
    expect((await runHere(["call", "--help"])).stdout).toContain("entente call TARGET TOOL")
    expect((await runHere(["--version"])).stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  })

  it("says in words what is wrong with a command line", async () => {
    expect(await runHere(["tools", "demo", "--jsn"])).toEqual({
      code: 1,
      stdout: "",
      stderr:
        "error: tools has no flag --jsn. Did you mean --json?\n" +
        "hint: entente tools --help shows its flags.\n",
    })
  })
})
