import { describe, expect, it } from "vitest"
import { encodeHeaderValue, headerFault, mirroredName, requests } from "../src/index.js"

/** What a server does with a value: the other direction, written independently. */
const decode = (value: string): string => {
  const [, encoded] = /^=\?base64\?(.*)\?=$/.exec(value) ?? []
  return encoded === undefined ? value : Buffer.from(encoded, "base64").toString("utf8")
}

const alphabet = [
  "a",
  "Z",
  "7",
  " ",
  "\t",
  "\n",
  "\r",
  "\0",
  "=",
  "?",
  "é",
  "世",
  "🙂",
  "=?base64?",
  "?=",
]

describe("encodeHeaderValue", () => {
  it.each([
    ["V26-HDR-05", "Grüße", "=?base64?R3LDvMOfZQ==?="],
    ["V26-XHDR-09", "Hello, 世界", "=?base64?SGVsbG8sIOS4lueVjA==?="],
    ["V26-XHDR-09", " padded ", "=?base64?IHBhZGRlZCA=?="],
    ["V26-XHDR-09", "line1\nline2", "=?base64?bGluZTEKbGluZTI=?="],
    ["V26-XHDR-10", "=?base64?literal?=", "=?base64?PT9iYXNlNjQ/bGl0ZXJhbD89?="],
    ["V26-XHDR-11", "a\tb", "=?base64?YQli?="],
    ["V26-XHDR-01", "Liège", "=?base64?TGnDqGdl?="],
  ])("%s %j becomes %s", (_id, value, header) => {
    expect(encodeHeaderValue(value)).toBe(header)
  })

  it.each([
    "",
    "us-west1",
    "inner spaces stay plain",
    "42",
    "=?base64?open",
    "closed?=",
    "=?BASE64?AA==?=",
    "!~",
  ])("V26-XHDR-08 %j goes as it is", (value) => {
    expect(encodeHeaderValue(value)).toBe(value)
  })

  it("comes back whatever the string, and never with a character that could split a header", () => {
    let seed = 1
    const next = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below
    for (let run = 0; run < 5_000; run++) {
      const value = Array.from({ length: next(6) }, () => alphabet[next(alphabet.length)]).join("")
      const header = encodeHeaderValue(value)
      expect(header).toMatch(/^[ -~]*$/)
      expect(header).toBe(header.trim())
      expect(decode(header)).toBe(value)
    }
  })

  it("takes long values", () => {
    const value = "é".repeat(200_000)
    expect(decode(encodeHeaderValue(value))).toBe(value)
  })
})

describe("mirroredName", () => {
  it.each([
    ["tools/call", { name: "quote_parcel" }, "quote_parcel"],
    ["prompts/get", { name: "Grüße" }, "=?base64?R3LDvMOfZQ==?="],
    ["resources/read", { uri: "note://ü" }, "=?base64?bm90ZTovL8O8?="],
    ["tasks/get", { taskId: "t-5f0c" }, "t-5f0c"],
    ["tasks/update", { taskId: "t-5f0c", inputResponses: {} }, "t-5f0c"],
    ["tasks/cancel", { taskId: "t-5f0c" }, "t-5f0c"],
  ])("V26-HDR-03 V26-HDR-04 %s mirrors %j", (method, params, header) => {
    expect(mirroredName(method, params)).toBe(header)
  })

  it("V26-HDR-03 no other method has one", () => {
    const params = { name: "n", uri: "u", taskId: "t" }
    const mirroring = [...Object.keys(requests), "acme/launch"].filter(
      (method) => mirroredName(method, params) !== undefined,
    )
    expect(mirroring.toSorted()).toEqual([
      "prompts/get",
      "resources/read",
      "tasks/cancel",
      "tasks/get",
      "tasks/update",
      "tools/call",
    ])
  })

  it("is absent where the member is no string", () => {
    expect(mirroredName("tools/call", {})).toBeUndefined()
    expect(mirroredName("tools/call", { name: 7 })).toBeUndefined()
  })
})

describe("headerFault", () => {
  it.each([
    ["Authorization", "Bearer abc.def"],
    ["X-Empty", ""],
    ["x_1!#$%&'*+-.^`|~", "tab\tinside"],
    ["X-Latin", "caf\u00e9"],
  ])("allows %s: %j", (name, value) => {
    expect(headerFault(name, value)).toBeUndefined()
  })

  it.each(["a\r\nX-Admin: 1", "a\nb", "a\rb", "a\0b", "\u001b[0m", "snow ☃", "\u007f"])(
    "V26-SEC-06 refuses the value %j without quoting it",
    (value) => {
      const fault = headerFault("X-Tenant", value)
      expect(fault).toContain("X-Tenant")
      expect(fault).not.toContain(value)
    },
  )

  it.each(["", "X Tenant", "X:Tenant", "X-Tenant\r\n", "Ü", "X(1)"])(
    "V26-SEC-06 refuses the name %j",
    (name) => {
      expect(headerFault(name, "a")).toContain("is not the name of a header")
    },
  )
})
