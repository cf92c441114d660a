import { resolve } from "node:path"
import { describe, expect, it } from "vitest"
import { http, httpSse } from "../src/index.js"
import { stdio } from "../src/stdio/index.js"

describe("a server that is named by its user", () => {
  it("is called so instead of by its command line or its address, which may hold a plain-looking secret", () => {
    const program = stdio({ command: "db", args: ["--word", "sesame"], target: "the database" })
    expect(program.target).toBe("the database")
    expect(program.key).toBe(`the database in ${resolve(".")}`)
    for (const way of [http, httpSse]) {
      const remote = way("https://x.example/sesame", { target: "the shop" })
      expect(remote.target).toBe("the shop")
      expect(remote.key).not.toContain("sesame")
    }
  })

  it("is kept apart from another address of the same name", () => {
    const keys = ["one", "two"].map(
      (word) => http(`https://x.example/${word}`, { target: "the shop" }).key,
    )
    expect(new Set(keys).size).toBe(2)
  })
})
