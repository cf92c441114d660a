import type { Era, JsonObject } from "@entente/protocol"
import { pages, tool, type Rule, type Step } from "@entente/testkit"
import {
  everywhere,
  impatient,
  listing,
  listingIn,
  page,
  saidAnywhere,
  spoilt,
  whenListed,
} from "./listing-servers.js"
import type { Variant } from "./variant.js"

const degraded = { verdict: "degraded" } as const

const echo = tool("echo")
const bad = tool("bad", { inputSchema: "object" })

const named = (name: unknown): JsonObject => ({ ...tool(""), name })

type Page = readonly [names: ReadonlyArray<unknown>, nextCursor?: string]

const pageOf = (era: Era, [names, nextCursor]: Page): JsonObject =>
  page(era, { tools: names.map(named), ...(nextCursor !== undefined && { nextCursor }) })

const always = (era: Era, ...one: Page) => listing(era, { result: pageOf(era, one) })

const paged = (era: Era, ...list: ReadonlyArray<Page>) =>
  spoilt(
    era,
    ...pages(
      "tools/list",
      list.map((one) => pageOf(era, one)),
    ),
  )

/** The first page is fine; this is what comes of its cursor. */
const second = (era: Era, reply: ReadonlyArray<Step>): ReadonlyArray<Rule> => [
  whenListed(reply, { cursor: { $present: true } }),
  whenListed([{ result: pageOf(era, [["echo"], "p2"]) }]),
]

const headerInArray = {
  type: "object",
  properties: {
    regions: {
      type: "array",
      items: { type: "object", properties: { r: { type: "string", "x-mcp-header": "R" } } },
    },
  },
}

/** Family 2: a part of the list is dropped, or does not come. */
export const listingItems: ReadonlyArray<Variant> = [
  ...everywhere((era) => ({
    ...degraded,
    name: "bad-schema",
    expects: "tools-invalid",
    script: () => listing(era, { result: page(era, { tools: [echo, bad, tool("last")] }) }),
  })),
  ...saidAnywhere((era) => ({
    verdict: "failed",
    name: "only-bad-schemas",
    expects: "tools-invalid",
    script: () => listing(era, { result: page(era, { tools: [bad, { name: "worse" }] }) }),
  })),
  ...everywhere((era) => ({
    ...degraded,
    name: "same-name-twice",
    expects: "tool-names-repeated",
    script: () =>
      listing(era, {
        result: page(era, { tools: [echo, tool("echo", { description: "another" })] }),
      }),
  })),
  ...listingIn({ eras: ["modern"], over: ["http"] })((era) => ({
    ...degraded,
    name: "bad-header-annotation",
    expects: "tools-badly-annotated",
    script: () =>
      listing(era, {
        result: page(era, { tools: [echo, tool("bad", { inputSchema: headerInArray })] }),
      }),
  })),
  ...everywhere((era) => ({
    ...degraded,
    name: "cursor-dropped-by-a-proxy",
    expects: "cursor-ignored",
    script: () => always(era, ["a", "b", "c", "d", "e", "f", "g", "h"], "8"),
  })),
  ...saidAnywhere((era) => ({
    ...degraded,
    name: "cursors-in-a-circle",
    expects: "cursor-repeats",
    script: () => paged(era, [["a"], "b"], [["b"], "c"], [["c"], "b"]),
  })),
  ...everywhere((era) => ({
    ...degraded,
    name: "empty-cursor-for-ever",
    expects: "cursor-empty-for-ever",
    script: () => always(era, ["echo"], ""),
  })),
  ...listingIn({ over: ["memory"] })((era) => ({
    ...degraded,
    name: "fresh-cursors-for-ever",
    expects: "cursors-endless",
    script: () =>
      listing(era, {
        result: page(era, { tools: [named({ $text: "/id" })], nextCursor: { $text: "/id" } }),
      }),
  })),
  ...everywhere((era) => ({
    ...degraded,
    name: "cursor-refused-that-was-given",
    expects: "cursor-refused",
    script: () =>
      spoilt(
        era,
        ...second(era, [{ error: { code: -32602, message: "Unknown cursor" }, status: 400 }]),
      ),
  })),
  ...saidAnywhere((era) => ({
    ...degraded,
    name: "second-page-fails",
    expects: "later-page-failed",
    script: () =>
      spoilt(era, ...second(era, [{ error: { code: -32603, message: "The database went away" } }])),
  })),
  ...everywhere((era) => ({
    ...degraded,
    name: "second-page-never-comes",
    expects: "later-page-unanswered",
    script: () => spoilt(era, ...second(era, [{ silence: true }])),
    options: impatient,
  })),
  ...saidAnywhere((era) => ({
    ...degraded,
    name: "pages-overlap",
    expects: "pages-overlap",
    script: () => paged(era, [["a", "b"], "p2"], [["b", "c"]]),
  })),
]
