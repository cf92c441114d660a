import { readFileSync } from "node:fs"
import { describe, expect, it } from "vitest"
import { diagnose, readLog } from "@entente/doctor"

const fixture = (name: string): string =>
  readFileSync(new URL(`./log/fixtures/${name}`, import.meta.url), "utf8")

const toldOf = (name: string): readonly [string, string | undefined] => {
  const { events, shown } = readLog(fixture(name))
  const { verdict, hypotheses } = diagnose(events, shown === undefined ? {} : { shown })
  return [verdict, hypotheses[0]?.code]
}

describe("what is said of other clients' logs", () => {
  it.each([
    "claude-desktop-healthy.log",
    "har-healthy.har",
    "har-base64.har",
    "har-old-transport.har",
    "inspector-protocol.json",
    "json-rpc-bare.jsonl",
    "json-rpc-marked.log",
    "json-rpc-wrapped.jsonl",
    "vscode-healthy.log",
  ])("%s is healthy", (name) => {
    expect(toldOf(name)).toEqual(["healthy", undefined])
  })

  it.each([
    ["claude-desktop-dies.log", "process-lacks-module"],
    ["claude-code-fails.jsonl", "process-lacks-module"],
    ["inspector-proxy.log", "stdout-noise-only"],
    ["cursor-several.log", "command-not-found"],
    ["cursor-unauthorized.log", "authorization-reported"],
    ["inspector-network.json", "credentials-refused"],
    ["json-rpc-pretty.txt", "list-server-error"],
    ["vscode-http-refused.log", "replicas-without-affinity"],
  ])("%s: %s", (name, code) => {
    const [verdict, first] = toldOf(name)
    expect([verdict, first]).toEqual(["failed", code])
  })

  it.each([
    "claude-code-debug.txt",
    "claude-code-stream.jsonl",
    "cursor-healthy.log",
    "gemini-file.log",
    "gemini-list.txt",
    "inspector-cli.json",
    "vscode-no-tools.log",
  ])("%s has no messages, and little is made of that", (name) => {
    const [verdict, first] = toldOf(name)
    expect(first).toBe("log-sums-up")
    expect(verdict).not.toBe("healthy")
  })
})
