import { describe, expect, it } from "vitest"
import { isJsonObject, validate, validateTolerantly } from "../../src/index.js"
import { ourSchema, validMessages } from "./corpus.js"

/** Valid messages with members, and one member of each. */
const members = validMessages.flatMap((message) => {
  const { value } = message
  return isJsonObject(value)
    ? Object.keys(value).map((key) => ({ message, shape: ourSchema(message), value, key }))
    : []
})

type Member = (typeof members)[number]

const without = (value: object, key: string) =>
  Object.fromEntries(Object.entries(value).filter(([name]) => name !== key))

/** The members, named, of which something is not so. */
const exceptions = (holds: (member: Member) => boolean) =>
  members.filter((member) => !holds(member)).map(({ message, key }) => `${message.name} ${key}`)

describe("any valid message", () => {
  it("V25-RPC-11 V26-ENV-16 may hold unknown members, which are kept", () => {
    const strict = exceptions(({ shape, value }) => {
      const extended = { ...value, "x-unknown": { deep: [null] } }
      const checked = validate(shape, extended)
      return checked.ok && checked.value === extended
    })
    expect(strict).toEqual([])
  })

  it("loses an optional member without harm, and a required one with its name", () => {
    const misnamed = exceptions(({ shape, value, key }) => {
      const checked = validate(shape, without(value, key))
      return checked.ok || checked.pointer === `/${key}`
    })
    expect(misnamed).toEqual([
      // Without its mode, a page to open looks like a form without fields.
      "elicitation-url mode",
      "elicitation-url-unparsable mode",
      // Either of the two members would do.
      "modern-tools-call-input-required-url inputRequests",
      "modern-tools-call-input-required-all inputRequests",
      "modern-tools-call-input-required-state requestState",
      // Without its status, nobody knows which kind of task was meant.
      "modern-tasks-get-result-working status",
      "modern-tasks-get-result-input status",
      "modern-tasks-get-result-completed status",
      "modern-tasks-get-result-failed status",
      "modern-tasks-get-result-cancelled status",
      "modern-task-notice status",
    ])
  })

  it("V25-PAGE-05 takes null for absent just where a member is optional and null says nothing", () => {
    const wrong = exceptions(({ shape, value, key }) => {
      const nulled = { ...value, [key]: null }
      const absent = without(value, key)
      const read = validateTolerantly(shape, nulled, {})
      if (validate(shape, nulled).ok) return read.ok && read.value === nulled
      if (!validate(shape, absent).ok) return !read.ok
      const [note] = read.ok ? read.notes : []
      return (
        read.ok &&
        JSON.stringify(read.value) === JSON.stringify(absent) &&
        note?.detail === `/${key}`
      )
    })
    expect(wrong).toEqual([])
  })

  it("is not changed by being checked", () => {
    const changed = exceptions(({ shape, value }) => {
      const before = JSON.stringify(value)
      validateTolerantly(shape, value, {})
      return JSON.stringify(value) === before
    })
    expect(changed).toEqual([])
  })
})
