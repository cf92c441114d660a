import { explain, InvalidInput, isJsonObject } from "@entente/protocol"
import { isAboutHttp, unsaid } from "./match.js"
import { stepKinds, type ArrivalKind, type Rule, type Step, type StepKind } from "./script.js"

/** What a way of playing scripts can do, and what it can notice. */
export interface Medium {
  readonly name: "memory" | "stdio" | "http" | "http+sse" | "websocket"
  readonly plays: ReadonlySet<StepKind>
  readonly notices: ReadonlySet<ArrivalKind>
  /** Which of these come as HTTP requests, so that conditions about HTTP can hold for them. */
  readonly overHttp: ReadonlySet<ArrivalKind>
}

const refuse = (where: string, what: string): never => {
  throw new InvalidInput(explain("invalid-input", "input", "scripted peer", `${where} ${what}`))
}

const kindOf = (step: Step, where: string): StepKind => {
  const kinds = isJsonObject(step) ? stepKinds.filter((kind) => kind in step) : []
  const [kind] = kinds
  return kind !== undefined && kinds.length === 1
    ? kind
    : refuse(where, `must have exactly one of ${stepKinds.join(", ")}.`)
}

/** Refuses steps that are none, or that this medium cannot play. */
export const checkSteps = (steps: ReadonlyArray<Step>, medium: Medium, where: string): void => {
  for (const [index, step] of steps.entries()) {
    const kind = kindOf(step, `${where}[${index}]`)
    if (!medium.plays.has(kind)) {
      refuse(`${where}[${index}]`, `is "${kind}", which cannot be played over ${medium.name}.`)
    }
  }
}

/**
 * Refuses a rule whose reply could not be played, before anything is played. Rules that can never match
 * on this medium, such as those about HTTP headers over stdio, may say what they like: so one script can
 * hold rules for several media.
 */
export const checkRule = (rule: Rule, medium: Medium, where: string): void => {
  const { when, reply } = rule
  const possible = isAboutHttp(when) ? medium.overHttp : medium.notices
  const applies =
    when.kind === undefined
      ? [...possible].some((kind) => !unsaid.has(kind))
      : possible.has(when.kind)
  if (applies) checkSteps(reply, medium, `${where}.reply`)
}
