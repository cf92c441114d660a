import { describe, expect, it } from "vitest"
import {
  ConnectionClosed,
  errorCodes,
  explain,
  isLegacyRevision,
  isModernRevision,
  legacyRevisions,
  modernRevisions,
  provesModern,
  rpcCode,
  tolerances,
  tolerates,
  type ErrorCode,
  type ToleranceCode,
} from "../src/index.js"

const tolerated = Object.keys(tolerances) as ReadonlyArray<ToleranceCode> // `keys` loses the literal types

describe("revisions", () => {
  it("V26-VER-07 are known newest first, by era", () => {
    expect(modernRevisions).toEqual(["2026-07-28"])
    expect(legacyRevisions).toEqual(["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"])
  })

  it.each(["2025-6-18", "2025-11-25 ", "2027-01-01", "1999-01-01", "", 20251125, null, "toString"])(
    "V25-LIFE-07 %j is none of them",
    (version) => {
      expect(isLegacyRevision(version) || isModernRevision(version)).toBe(false)
    },
  )
})

describe("error codes of peers", () => {
  it("V26-ERA-09 V26-ERR-01 three codes prove the modern era, and no others", () => {
    const proving = Array.from({ length: 33_000 }, (_, i) => -i).filter(provesModern)
    expect(proving).toEqual([-32020, -32021, -32022])
    expect(Object.values(rpcCode).filter(provesModern)).toHaveLength(3)
  })
})

describe("errors", () => {
  it.each(Object.entries(errorCodes))("%s has a title and a hint, as sentences", (code, row) => {
    expect(row.title).toMatch(/^[A-Z].*[^.]$/)
    expect(row.hint).toMatch(/^[A-Z].*\.$/)
    const fields = explain(code as ErrorCode, "request", "demo", "It failed.") // a key of the table
    expect(fields.message).toBe(`It failed. (docs/errors.md#${code})`)
    expect(fields.hint).toBe(row.hint)
  })

  it("are real errors with a stable tag and code", () => {
    const error = new ConnectionClosed(explain("closed", "close", "demo", "Closed.", "Open it."))
    expect(error).toBeInstanceOf(Error)
    expect(error).toMatchObject({ _tag: "ConnectionClosed", code: "closed", hint: "Open it." })
  })
})

describe("tolerances", () => {
  it.each(tolerated)(
    "%s follows the table, strict mode and its own name, in that order",
    (code) => {
      expect(tolerates({}, code)).toBe(tolerances[code].byDefault)
      expect(tolerates({ strict: false }, code)).toBe(tolerances[code].byDefault)
      expect(tolerates({ strict: true }, code)).toBe(false)
      expect(tolerates({ strict: true, [code]: true }, code)).toBe(true)
      expect(tolerates({ [code]: false }, code)).toBe(false)
    },
  )
})
