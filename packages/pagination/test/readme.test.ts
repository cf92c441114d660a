import { readFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { afterAll, beforeAll, describe, expect, it } from "vitest"
import { everyone, firstThree } from "./readme-example.js"

const names = ["Ada", "Grace", "Alan", "Edsger", "Barbara"]
const requests: Array<string | null> = []
let broken = false

/** Two users a page. */
const api = createServer((request, response) => {
  const cursor = new URL(request.url ?? "/", "http://localhost").searchParams.get("cursor")
  requests.push(cursor)
  if (broken && cursor !== null) return void response.end("no JSON")
  const from = Number(cursor ?? 0)
  const users = names.slice(from, from + 2).map((name) => ({ id: name.toLowerCase(), name }))
  const next = from + 2 < names.length ? { next: `${from + 2}` } : {}
  response.end(JSON.stringify({ users, ...next }))
})
const origin = () => `http://127.0.0.1:${(api.address() as AddressInfo).port}` // it listens on TCP

beforeAll(() => new Promise<void>((resolve) => api.listen(0, "127.0.0.1", resolve)))
afterAll(() => new Promise((resolve) => api.close(resolve)))

describe("the README", () => {
  it("shows the example that runs here", () => {
    const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8")
    const example = readFileSync(new URL("readme-example.ts", import.meta.url), "utf8")
    expect(readme).toContain(`\`\`\`ts\n${example}\`\`\``)
  })

  it("reads no more pages than it needs", async () => {
    requests.length = 0
    expect((await firstThree(origin())).map((user) => user.name)).toEqual(["Ada", "Grace", "Alan"])
    expect(requests).toEqual([null, "2"])
  })

  it("reads all, or says why not", async () => {
    expect(await everyone(origin())).toBe("5 users")
    broken = true
    expect(await everyone(origin())).toBe("2 users so far: page 2 could not be read")
    broken = false
  })
})
