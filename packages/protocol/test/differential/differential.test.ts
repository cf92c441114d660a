import { describe, expect, it } from "vitest"
import { validate } from "../../src/index.js"
import { brokenMessages, ourSchema, validMessages, type Message } from "./corpus.js"
import { differences, notDescribed, type Other } from "./differences.js"
import { effectAi } from "./effect-ai.js"
import { official } from "./official.js"

const messages = [...validMessages, ...brokenMessages]

const others: Record<Other, (message: Message) => boolean | undefined> = {
  official,
  "effect/ai": effectAi,
}

const weAccept = (message: Message): boolean => validate(ourSchema(message), message.value ?? {}).ok

describe.each(Object.entries(others))("compared with %s", (name, accepts) => {
  it("differs on the messages of the table, and on no others", () => {
    const found = messages
      .filter((message) => (accepts(message) ?? weAccept(message)) !== weAccept(message))
      .map((message) => `${weAccept(message) ? "accept" : "refuse"} ${message.name}`)
    const listed = differences
      .filter((one) => one.others.some((other) => other === name))
      .map(({ we, message }) => `${we} ${message}`)
    expect(found.toSorted()).toEqual(listed.toSorted())
  })

  it("describes all but what is listed", () => {
    const undescribed = messages
      .filter((message) => accepts(message) === undefined)
      .map(({ era, method, part }) => `${era} ${method} ${part}`)
    expect([...new Set(undescribed)].toSorted()).toEqual(
      notDescribed[name as Other], // `entries` loses the literal type
    )
  })
})
