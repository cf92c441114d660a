import { describe, expect, it } from "vitest"
import {
  ClientCapabilities,
  elicitationModes,
  ServerCapabilities,
  UrlElicitationRequired,
  validate,
} from "../src/index.js"

describe("elicitationModes", () => {
  it.each([
    [{}, []],
    [{ elicitation: {} }, ["form"]],
    [{ elicitation: { form: {} } }, ["form"]],
    [{ elicitation: { url: {} } }, ["url"]],
    [{ elicitation: { url: {}, form: {} } }, ["form", "url"]],
    [{ elicitation: { voice: {} } }, ["form"]],
  ])("V25-CAP-07 V26-ELIC-01 %j allows %j", (capabilities, modes) => {
    expect(elicitationModes(capabilities)).toEqual(modes)
  })
})

describe("capabilities", () => {
  it("V26-EXT-08 keep what nobody has heard of", () => {
    const sent = { glazing: { colours: 3 }, tools: { glaze: true } }
    const checked = validate(ServerCapabilities, sent)
    expect(checked.ok && checked.value["glazing"]).toBe(sent.glazing)
    expect(checked.ok && checked.value.tools).toBe(sent.tools)
  })

  it("refuse a capability that is no object", () => {
    expect(validate(ClientCapabilities, { sampling: true })).toMatchObject({ pointer: "/sampling" })
  })
})

it("V25-ELI-13 the data of -32042 holds pages to open", () => {
  const elicitations = [{ mode: "url", elicitationId: "e", url: "https://a.example", message: "m" }]
  expect(validate(UrlElicitationRequired, { elicitations, more: 1 }).ok).toBe(true)
  expect(validate(UrlElicitationRequired, { elicitations: [{ mode: "url" }] })).toMatchObject({
    ok: false,
    pointer: "/elicitations/0/message",
  })
})
