import { describe, expect, it } from "vitest"
import { commandNames, commandTable } from "../src/command-table.js"
import { exitCodes } from "../src/exit-code.js"
import { help } from "../src/help.js"

describe("help", () => {
  it("names every command and every exit code", () => {
    const text = help(undefined)
    for (const name of commandNames) expect(text).toContain(`  ${name} `)
    const { internal: _, ...documented } = exitCodes
    for (const code of Object.values(documented)) expect(text).toMatch(new RegExp(`\\b${code} `))
  })

  it.each(commandNames)("of %s names each of its flags", (name) => {
    const text = help(name)
    for (const flag of Object.keys(commandTable[name].flags)) expect(text).toContain(`  --${flag}`)
    expect(text).toContain(`entente ${name}`)
  })

  it("fits a terminal of 100 columns", () => {
    for (const topic of [undefined, ...commandNames]) {
      for (const line of help(topic).split("\n")) expect(line.length).toBeLessThanOrEqual(100)
    }
  })
})
