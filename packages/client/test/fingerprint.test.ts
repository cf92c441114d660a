import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { canonicalJson, fingerprint } from "@entente/client"
import { sameJson } from "../src/list/same-json.js"

describe("fingerprints", () => {
  it("is SHA-256 of the text with its members in order", () => {
    expect(canonicalJson({ b: [1, { d: null, c: "é" }], a: undefined })).toBe(
      '{"b":[1,{"c":"é","d":null}]}',
    )
    expect(fingerprint("")).toBe("12ae32cb1ec02d01eda3581b127c1fee3b0dc53572ed6baf239721a03d82e126")
  })

  it("writes what can be read back, and the same for the same content alone", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (one, other) => {
        expect(JSON.parse(canonicalJson(one))).toEqual(JSON.parse(JSON.stringify(one)))
        expect(canonicalJson(one) === canonicalJson(other)).toBe(
          sameJson(JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other))),
        )
      }),
    )
  })

  it("takes a value as deep as a server likes", () => {
    let deep: unknown = 1
    for (let depth = 0; depth < 200_000; depth++) deep = [deep]
    expect(canonicalJson(deep)).toHaveLength(400_001)
  })
})
