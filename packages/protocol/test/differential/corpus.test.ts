import { describe, expect, it } from "vitest"
import { notifications, requests, validate } from "../../src/index.js"
import { brokenMessages, ourSchema, validMessages, type Message } from "./corpus.js"

const label = ({ method, part, era }: Message) => `${era} ${method} ${part}`

describe("the corpus", () => {
  it("has a valid message for every method, part and era", () => {
    const wanted = [
      ...Object.entries(requests).flatMap(([method, row]) =>
        (["legacy", "modern"] as const)
          .filter((era) => era in row)
          .flatMap((era) => [`${era} ${method} params`, `${era} ${method} result`]),
      ),
      ...Object.entries(notifications).flatMap(([method, row]) =>
        (["legacy", "modern"] as const)
          .filter((era) => era in row)
          .map((era) => `${era} ${method} params`),
      ),
    ]
    const present = new Set(validMessages.map(label))
    expect(wanted.filter((one) => !present.has(one))).toEqual([])
    expect(validMessages.length).toBeGreaterThanOrEqual(120)
  })

  it("names every message once", () => {
    const names = [...validMessages, ...brokenMessages].map(({ name }) => name)
    expect(names.length).toBe(new Set(names).size)
  })

  it.each(validMessages)("$name is accepted as it is", (message) => {
    const value = message.value ?? {}
    const checked = validate(ourSchema(message), value)
    expect(checked).toEqual({ ok: true, value })
    expect(checked.ok && checked.value).toBe(value)
  })

  it.each(brokenMessages)("$name is refused at $pointer", (message) => {
    expect(validate(ourSchema(message), message.value)).toMatchObject({
      ok: false,
      pointer: message.pointer,
    })
  })
})
