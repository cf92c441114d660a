import { readFile } from "node:fs/promises"
import { expect, it } from "vitest"

const textOf = (path: string): Promise<string> => readFile(new URL(path, import.meta.url), "utf8")

it("the example of the section on the tap is the file that is compiled here", async () => {
  const [, section = ""] = (await textOf("../../README.md")).split("## Tap\n")
  const [, example] = /```ts\n(.*?)```/s.exec(section) ?? []
  expect(example).toBe(await textOf("readme-example.ts"))
})
