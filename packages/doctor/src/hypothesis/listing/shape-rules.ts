import type { Case } from "../../case.js"
import { evidence } from "../../evidence.js"
import { askedShown, failedPage, pageNamed } from "./listing.js"
import { examineAgain, type Finding, type Rule } from "../rule.js"

interface Shape {
  readonly what: string
  readonly marked: string
  readonly index: number
}

const kindOf = (value: unknown): string =>
  value === null ? "null" : Array.isArray(value) ? "an array" : `a value of type ${typeof value}`

/** What stands where a list belongs. */
const shapeOf = ({ main }: Case): (Shape & { readonly number: number }) | undefined => {
  const failed = failedPage(main)
  const reply = failed?.call.reply
  if (failed === undefined || reply === undefined) return undefined
  const { number } = failed
  const { index } = reply
  if (reply.kind === "unreadable") {
    return reply.text === "the result is no object"
      ? { number, index, what: "the result is no object", marked: '"result":' }
      : undefined
  }
  if (reply.kind !== "result") return undefined
  const { result } = reply
  const { tools, nextCursor, resultType } = result
  if (resultType !== undefined && resultType !== "complete")
    return {
      number,
      index,
      what: `the result calls itself ${JSON.stringify(resultType)}, which a list may not be`,
      marked: '"resultType":',
    }
  if (tools === undefined)
    return { number, index, what: "the result has no member tools", marked: '"result":' }
  if (!Array.isArray(tools))
    return { number, index, what: `tools is ${kindOf(tools)}, not an array`, marked: '"tools":' }
  if (nextCursor !== undefined && nextCursor !== null && typeof nextCursor !== "string")
    return {
      number,
      index,
      what: `nextCursor is ${kindOf(nextCursor)}, not a text`,
      marked: '"nextCursor":',
    }
  return undefined
}

/** Family 2: what comes is no list. */
export const listingShapeRules: ReadonlyArray<Rule> = [
  {
    code: "list-is-no-list",
    family: 2,
    stage: "list",
    weight: "fails",
    title: "The result of tools/list is no list of tools",
    expected: '{"result":{"tools":[{"name":"…","inputSchema":{"type":"object"}}]}}',
    fix: {
      server:
        "Answer with an object whose member tools is an array; an empty list is []. nextCursor is a text, or absent.",
      proxy: "Hand the result on as it is.",
      client: "Nothing: tell the server's author.",
    },
    next: examineAgain(),
    supersedes: ["later-page-failed"],
    find: (given): Finding | undefined => {
      const shape = shapeOf(given)
      const { call } = failedPage(given.main) ?? {}
      if (shape === undefined || call === undefined) return undefined
      return {
        confidence: 0.96,
        title: `The result of ${pageNamed(shape.number)}tools/list is no list of tools: ${shape.what}`,
        evidence: [askedShown(given, call), evidence(given.trace, shape.index, shape.marked)],
      }
    },
  },
]
