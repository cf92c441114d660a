import * as fc from "fast-check"
import { describe, expect, it } from "vitest"
import {
  assignNames,
  catalogId,
  idRule,
  nameFor,
  nameMap,
  nameRules,
  readName,
  type NamedTool,
  type NameRule,
  type ServerTool,
} from "@entente/catalog"

const rules: ReadonlyArray<NameRule> = [
  idRule,
  ...Object.values(nameRules),
  // Of what is not asked for yet: an agent that takes no hyphen, and very short names.
  { first: "a-zA-Z", rest: "a-zA-Z0-9_", maxLength: 64 },
  { first: "a-z", rest: "a-z0-9_", maxLength: 16 },
  { first: "a-zA-Z_", rest: "a-zA-Z0-9_.:-", maxLength: 128 },
]

/** Names of every kind, many of which are close to each other. */
const anyName = fc.oneof(
  fc.string({ unit: "binary", maxLength: 200 }),
  fc.string({ unit: fc.integer({ min: 0, max: 0xffff }).map((unit) => String.fromCharCode(unit)) }),
  fc.string({ unit: fc.constantFrom("a", "b", "_", "-", ".", "1"), maxLength: 6 }),
  fc.string({ unit: fc.constantFrom("é", "e\u0301", "É", "\ud800", "\udc00", "工"), maxLength: 4 }),
  fc.string({ unit: fc.constantFrom("a", "_", "é"), minLength: 40, maxLength: 140 }),
  fc
    .tuple(fc.constantFrom("a", "b_"), fc.stringMatching(/^[0-7][0-9a-v]{9}$/))
    .map(([stem, hash]) => `${stem}_${hash}`),
  fc.constantFrom("__proto__", "constructor", "toString", "", "_", "__", "a__b", "__a", "a__"),
)

const anyTool: fc.Arbitrary<ServerTool> = fc
  .tuple(anyName, anyName)
  .map(([server, name]) => ({ server, tool: { name, inputSchema: { type: "object" } } }))

const anyTools = fc.uniqueArray(anyTool, {
  maxLength: 40,
  selector: ({ server, tool }) => JSON.stringify([server, tool.name]),
})

const anyRule = fc.constantFrom(...rules)

const named = (tools: ReadonlyArray<ServerTool>, rule: NameRule): ReadonlyArray<NamedTool> => {
  const { names } = assignNames(tools, rule)
  return tools.map((each, index) => ({ ...each, name: names[index] ?? "" }))
}

describe("names of tools, whatever servers and tools are called (C080, V26-TOOL-05)", () => {
  it("are allowed by the rule, and all different", () => {
    fc.assert(
      fc.property(anyTools, anyRule, (tools, rule) => {
        const { names } = assignNames(tools, rule)
        const allowed = new RegExp(`^[${rule.first}][${rule.rest}]{0,${rule.maxLength - 1}}$`, "u")
        for (const name of names) expect(name).toMatch(allowed)
        expect(new Set(names).size).toBe(tools.length)
      }),
      { numRuns: 500 },
    )
  })

  it("lead back to their tool by the map, and by themselves where they have no hash", () => {
    fc.assert(
      fc.property(anyTools, anyRule, (tools, rule) => {
        const map = nameMap(named(tools, rule))
        for (const { server, tool } of tools) {
          const name = map.nameOf(server, tool.name) ?? ""
          expect(map.toolOf(name)).toMatchObject({ server, tool })
          const read = readName(name)
          const isPlain = name === `${server}__${tool.name}`
          expect(read).toEqual(isPlain ? { server, tool: tool.name } : undefined)
        }
      }),
      { numRuns: 500 },
    )
  })

  it("are never read as another tool's", () => {
    fc.assert(
      fc.property(anyName, (name) => {
        const read = readName(name)
        if (read === undefined) return
        expect(`${read.server}__${read.tool}`).toBe(name)
      }),
    )
  })

  it("stay when servers come, go or change places", () => {
    const any = fc.tuple(anyTools, anyRule, fc.func(fc.boolean()), fc.infiniteStream(fc.nat()))
    fc.assert(
      fc.property(any, ([tools, rule, stays, places]) => {
        const before = nameMap(named(tools, rule))
        const others = tools
          .filter(({ server }) => stays(server))
          .map((each) => ({ each, place: places.next().value }))
          .toSorted((one, other) => one.place - other.place)
          .map(({ each }) => each)
        for (const { server, tool, name } of named(others, rule)) {
          expect(name).toBe(before.nameOf(server, tool.name))
          expect(name).toBe(nameFor(server, tool.name, rule))
        }
      }),
    )
  })

  it("keep catalog ids that every provider takes as they are", () => {
    fc.assert(
      fc.property(anyTool, ({ server, tool }) => {
        const id = catalogId(server, tool.name)
        for (const rule of Object.values(nameRules)) {
          expect(id).toMatch(new RegExp(`^[${rule.first}][${rule.rest}]{0,${rule.maxLength - 1}}$`))
        }
      }),
    )
  })
})
