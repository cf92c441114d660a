import { describe, expect, it } from "vitest"
import { dark, light, styleSheet, type Colours } from "../src/svg/theme.js"

const channel = (hex: string): number => {
  const share = Number.parseInt(hex, 16) / 255
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
}

const luminance = (colour: string): number =>
  0.2126 * channel(colour.slice(1, 3)) +
  0.7152 * channel(colour.slice(3, 5)) +
  0.0722 * channel(colour.slice(5, 7))

/** The contrast of WCAG, from 1 to 21. */
const contrast = (one: string, other: string): number => {
  const [dim = 0, bright = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b)
  return (bright + 0.05) / (dim + 0.05)
}

const texts = ["text", "quiet", "arrow", "guard", "action"] as const
const grounds = ["ground", "box", "inner", "lit"] as const
const lines = ["line", "arrow", "litLine"] as const

describe("the colours of a picture", () => {
  const themes: ReadonlyArray<readonly [string, Colours]> = [
    ["light", light],
    ["dark", dark],
  ]

  it("have a contrast that can be computed", () => {
    expect(contrast("#000000", "#ffffff")).toBeCloseTo(21)
    expect(contrast("#777777", "#ffffff")).toBeLessThan(4.5)
  })

  it.each(themes)(
    "give every text on every ground of %s a contrast of 4.5 (WCAG AA)",
    (_, colours) => {
      for (const text of texts) {
        for (const ground of grounds) {
          expect(
            contrast(colours[text], colours[ground]),
            `${text} on ${ground}`,
          ).toBeGreaterThanOrEqual(4.5)
        }
      }
    },
  )

  it.each(themes)("give every line of %s a contrast of 3 (WCAG 1.4.11)", (_, colours) => {
    for (const line of lines) {
      for (const ground of grounds) {
        expect(
          contrast(colours[line], colours[ground]),
          `${line} on ${ground}`,
        ).toBeGreaterThanOrEqual(3)
      }
    }
  })

  it("colour nothing outside a picture that stands in a page", () => {
    const rules = styleSheet("light").match(/[^{}]+(?=\{)/g) ?? []
    expect(rules.length).toBeGreaterThan(10)
    for (const rule of rules) expect(rule).toMatch(/^\.entente-chart /)
  })

  it("are all of one theme, unless the reader's own setting decides", () => {
    expect(styleSheet("light")).not.toContain(dark.ground)
    expect(styleSheet("dark")).not.toContain(light.box)
    expect(styleSheet("auto")).toContain("prefers-color-scheme:dark")
  })
})
