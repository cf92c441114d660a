import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import { markdownReport } from "@entente/doctor"
import { codeSpan, inline } from "../../src/report/markdown-text.js"
import { hostileTexts, reportWith } from "./hostile-report.js"

/** A line without its code spans, by CommonMark's rule: a run of backticks ends at the next one of its length. */
const outsideCode = (line: string): string => {
  let rest = line
  let outside = ""
  for (let match = /`+/.exec(rest); match !== null; match = /`+/.exec(rest)) {
    const [fence] = match
    const from = match.index + fence.length
    const closing = [...rest.slice(from).matchAll(/`+/g)].find(([run]) => run === fence)
    outside += rest.slice(0, match.index)
    if (closing === undefined) return `${outside}${rest.slice(match.index)}`
    rest = rest.slice(from + closing.index + fence.length)
    outside += "␣"
  }
  return outside + rest
}

/** What could be mark-up, HTML, an entity, a mention, a number of an issue, or an address. */
const active = /[`*_[\]<>#|&@\\~$:{}^=/]|\bwww\.|\S\.\S/

describe("a text of a server in Markdown", () => {
  it.each(hostileTexts)("is nothing but text: %j", (text) => {
    expect(outsideCode(inline(text)).replace(/:(?=\s|$)/g, "")).not.toMatch(active)
  })

  it("is nothing but text, whatever it is", () => {
    const pieces = fc.constantFrom(
      ...hostileTexts,
      "a",
      " ",
      "`",
      "``",
      "|",
      "\\",
      "@x",
      "<b>",
      "_",
    )
    const texts = fc.oneof(
      fc.string({ unit: "binary", maxLength: 40 }),
      fc.array(pieces, { maxLength: 6 }).map((parts) => parts.join("")),
    )
    fc.assert(
      fc.property(texts, (text) => {
        const line = inline(text)
        expect(outsideCode(line).replace(/:(?=\s|$)|\d[.,:]\d/g, "")).not.toMatch(active)
        expect(line).not.toMatch(/[\n\r]/)
        expect(outsideCode(codeSpan(text)).replace("␣", "")).toBe("")
      }),
    )
  })

  it("stays readable where it is harmless", () => {
    expect(inline("The server has 2 tools, but doesn't declare them (yet).")).toBe(
      "The server has 2 tools, but doesn't declare them (yet).",
    )
    expect(inline("Ask @somebody, see tools/list.")).toBe("Ask `@somebody`, see `tools/list`.")
  })
})

describe("markdownReport", () => {
  it.each(hostileTexts)("keeps its form when a server says %j", (text) => {
    const lines = markdownReport([reportWith(text), reportWith("x")]).split("\n")
    // Fences: each block ends where it is meant to.
    const fences = lines.filter((line) => /^`{3,}/.test(line))
    expect(fences).toHaveLength(4)
    expect(
      lines.filter((line) => /^#{1,6} /.test(line)).map((line) => /^#+/.exec(line)?.[0]),
    ).toEqual(["###", "####", "####", "####", "###", "####", "####", "####"])
    // Tables: as many cells in a row as in its head.
    const cells = (line: string): number => line.replaceAll("\\|", "").split("|").length
    const tables = lines.filter((line) => line.startsWith("| "))
    const widths = new Set(tables.map(cells))
    expect([...widths].every((width) => width === 5 || width === 7)).toBe(true)
    expect(lines.join("")).not.toMatch(/[\p{Cc}\p{Cf}]/u)
  })

  it("begins with a table where there are several", () => {
    expect(markdownReport([reportWith("x"), reportWith("y")])).toMatch(/^\| {2}\| server \|/)
    expect(markdownReport([reportWith("x")])).toMatch(/^### ✗ failed: `x`\n/)
  })

  it("shows the exchange, what is right, whom it concerns and what to do next", () => {
    expect(markdownReport([reportWith("tools/list")])).toMatchInlineSnapshot(`
      "### ✗ failed: \`tools/list\`

      No tool reaches the model. Spoken: legacy, \`tools/list\`. Tools: raw 0 → accepted 0 → exposed 0.

      |  | stage | what was seen |
      | --- | --- | --- |
      | ✗ | list | \`tools/list\` |

      #### It says \`tools/list\`

      Code \`tools/list\` · family 2, listing · very likely, 90 %

      \`\`\`text
        0   +0 ms  → initialize tools/list
      ▶ 1  +10 ms  ← initialize: tools/list, capabilities: tools/list
                     tools/list
                     ^^^^
        2  +20 ms  ← stderr: tools/list
        3  +30 ms  ← tools/list
      ▶ 4  +40 ms  → tools/list tools/list
                     tools/list
      \`\`\`

      **A right exchange has:** \`tools/list\`

      - **Author of the server:** \`tools/list\`
      - **Operator of a proxy:** \`tools/list\`
      - **User of the client:** \`tools/list\`

      **Next:** \`entente doctor tools/list\`

      #### Other causes

      | confidence | cause | code |
      | --- | --- | --- |
      | possible, 50 % | It says \`tools/list\` | \`tools/list\` |

      #### Remarks

      - \`tools/list\` ×2: \`tools/list\`
      "
    `)
  })
})
