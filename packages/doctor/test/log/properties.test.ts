import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { readLog } from "../../src/index.js"
import { fixture, fixtures, messages, planted, short } from "./fixture.js"

/** Pieces of real logs, put together as no client does. */
const pieces = fc.constantFrom(
  ...fixtures.flatMap((name) => fixture(name).split("\n")),
  "{",
  "[",
  '"jsonrpc"',
  '{"jsonrpc":"2.0","id":1',
  "\u001b[31m",
  "\0",
  "\ufeff",
  '{"log":{"entries":[',
  '{"__proto__":{"jsonrpc":"2.0"}}',
)

const joined = fc
  .tuple(
    fc.array(fc.oneof(pieces, fc.string({ unit: "binary" })), { maxLength: 30 }),
    fc.constantFrom("\n", "", "\r\n"),
  )
  .map(([parts, between]) => parts.join(between))

/** Whether one list is the other with some left out. */
const isSubsequence = (some: ReadonlyArray<string>, all: ReadonlyArray<string>): boolean => {
  let at = 0
  for (const each of all) if (each === some[at]) at++
  return at === some.length
}

describe("whatever the text is", () => {
  it("nothing is thrown, and every event is stamped in order", () => {
    fc.assert(
      fc.property(fc.oneof(joined, fc.string({ unit: "binary" }), fc.json()), (text) => {
        const { events, problems } = readLog(text)
        expect(events.map(({ seq }) => seq)).toEqual(events.map((_, index) => index))
        expect(events.every(({ at }) => Number.isFinite(at))).toBe(true)
        expect(problems.every(({ line }) => line >= 0)).toBe(true)
      }),
      { numRuns: 1_500 },
    )
  })

  it("secrets that were planted in the fixtures are in no event, name or problem", () => {
    const found = fixtures.filter((name) => planted.test(fixture(name)))
    expect(found.length).toBeGreaterThan(12)
    for (const name of fixtures) {
      const all = readLog(fixture(name))
      for (const server of [undefined, ...all.servers]) {
        const reading = readLog(fixture(name), server === undefined ? {} : { server })
        expect(JSON.stringify(reading)).not.toMatch(planted)
      }
    }
  })

  it("a secret is hidden wherever it stands in a message, on whatever line", () => {
    const secret = "sk-proj-a1B2c3D4e5F6g7H8"
    const places = [
      (text: string) => ({ method: "tools/call", params: { arguments: { password: text } } }),
      (text: string) => ({ method: "tools/call", params: { arguments: { note: `key ${text}` } } }),
      (text: string) => ({ error: { code: 1, message: `Authorization: Bearer ${text}` } }),
    ]
    const prefixes = [
      "",
      "2026-10-12T08:30:01.100Z [s] [info] Message from client: ",
      "2026-10-12 08:30:01.100 [debug] [editor -> server] ",
      ">>> ",
    ]
    fc.assert(
      fc.property(
        fc.constantFrom(...places),
        fc.constantFrom(...prefixes),
        fc.boolean(),
        fc.nat({ max: 300 }),
        (place, prefix, pretty, cut) => {
          const message = { jsonrpc: "2.0", id: 1, ...place(secret) }
          const text = `${prefix}${JSON.stringify(message, undefined, pretty ? 2 : 0)}`
          const some = text.slice(0, Math.max(0, text.length - cut))
          expect(JSON.stringify(readLog(text))).not.toContain(secret)
          expect(JSON.stringify(readLog(some))).not.toContain(secret)
        },
      ),
      { numRuns: 300 },
    )
  })
})

/** The places at which a text is cut: many, and every end of a line. */
const cuts = (text: string): ReadonlyArray<number> => {
  const step = Math.max(1, Math.floor(text.length / 400))
  return Array.from({ length: Math.ceil(text.length / step) }, (_, at) => at * step)
}

const lineEnds = (text: string): ReadonlyArray<number> =>
  [...text].flatMap((unit, at) => (unit === "\n" ? [at + 1] : []))

/** Of several recordings in a file the last is read, so that a cut may show another one. */
const recordings = "trace-appended.jsonl"

describe("a log that is cut off", () => {
  it("says at no cut what it does not say as a whole", () => {
    for (const name of fixtures.filter((one) => one !== recordings)) {
      const text = fixture(name)
      const whole = readLog(text)
      const server = whole.server === undefined ? {} : { server: whole.server }
      const wrong = cuts(text).filter((at) => {
        const cut = readLog(text.slice(0, at), server)
        return cut.format === whole.format && !isSubsequence(messages(cut), messages(whole))
      })
      expect({ name, wrong }).toEqual({ name, wrong: [] })
    }
  }, 60_000)

  it("says the same so far at every end of a line", () => {
    let compared = 0
    // One JSON value is put in order by its times.
    const byLines = fixtures.filter((name) => !/\.(?:har|json)$/.test(name) && name !== recordings)
    for (const name of byLines) {
      const text = fixture(name)
      const whole = readLog(text)
      const events = whole.events.map((event) => JSON.stringify(event))
      const server = whole.server === undefined ? {} : { server: whole.server }
      const wrong = lineEnds(text).filter((at) => {
        const cut = readLog(text.slice(0, at), server)
        const open = cut.problems.some(({ code }) => code === "log-cut")
        if (cut.format !== whole.format || cut.server !== whole.server || open) return false
        compared++
        return cut.events.some((event, index) => JSON.stringify(event) !== events[index])
      })
      expect({ name, wrong }).toEqual({ name, wrong: [] })
    }
    expect(compared).toBeGreaterThan(100)
  }, 60_000)
})

describe("hostile logs", () => {
  const size = 400_000
  const hostile: Readonly<Record<string, string>> = {
    "brackets that never close": "{".repeat(size),
    "messages that never close": '{"jsonrpc":'.repeat(size / 11),
    "an open object before many messages": `{ ${'{"jsonrpc":"2.0"}'.repeat(size / 17)}`,
    spaces: `2026-10-12T08:30:01.100Z [s] [info] ${" ".repeat(size)}x`,
    "colours that never end": "\u001b]".repeat(size / 2),
    quotes: '"'.repeat(size),
    "lines that begin objects": "{\n".repeat(size / 2),
    times: "2026-10-12 08:30:01.100 ".repeat(size / 24),
    metadata: `2026-10-12T08:30:01.100Z [s] [info] ${"{ metadata:".repeat(size / 11)}`,
    "frames of a console": `✖ MCP ERROR (s): ${" │".repeat(size / 2)}x`,
    "words of a parser": `2026-10-12 08:30:01.100 [error] Failed to parse message: ${'"\\'.repeat(size / 2)}`,
    servers: Array.from(
      { length: size / 60 },
      (_, at) => `2026-10-12T08:30:01.100Z [s${at}] [info] Message from client: x`,
    ).join("\n"),
    nesting: `{"jsonrpc":"2.0","id":1,"method":"x","params":${"[".repeat(100_000)}${"]".repeat(100_000)}}`,
    "entries of a HAR": `{"log":{"entries":[${'{"a":'.repeat(size / 5)}`,
    "an event stream": JSON.stringify({
      log: {
        entries: [
          {
            request: {
              method: "POST",
              url: "http://h/",
              postData: { text: '{"jsonrpc":"2.0","id":1,"method":"x"}' },
            },
            response: {
              status: 200,
              headers: [{ name: "content-type", value: "text/event-stream" }],
              content: { text: "data:\r".repeat(size / 6) },
            },
          },
        ],
      },
    }),
  }
  for (const [what, text] of Object.entries(hostile)) {
    it(`${what} are read in a time that grows with their length`, () => {
      expect(readLog(text).events.length).toBeLessThan(size)
    }, 10_000)
  }

  it("names that objects have anyway are names like others", () => {
    const line = (id: string) =>
      `2026-10-12T08:30:01.100Z [__proto__] [info] Message from client: {"jsonrpc":"2.0","id":"${id}","method":"constructor"}`
    const reading = readLog([line("__proto__"), line("toString")].join("\n"))
    expect(reading.servers).toEqual(["__proto__"])
    expect(reading.events.map((event) => event.type === "frame" && short(event.message))).toEqual([
      "constructor",
      "constructor",
    ])
  })
})
