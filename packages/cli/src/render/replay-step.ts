import type { ReplayStep } from "@entente/doctor"
import { isJsonObject } from "@entente/protocol"
import type { FrameEvent } from "@entente/trace"
import type { Style } from "./style.js"
import { oneLine } from "./visible-text.js"
import { cut, pad, widthOf } from "./width.js"

const arrows = { out: "→", in: "←" } as const

/** The lists that an answer may hold, by the member that holds one. */
const lists: Readonly<Record<string, string>> = {
  tools: "tool",
  prompts: "prompt",
  resources: "resource",
  resourceTemplates: "template",
}

const idText = (id: unknown): string =>
  typeof id === "string" || typeof id === "number" ? ` (${id})` : ""

const errorText = ({ code, message }: Readonly<Record<string, unknown>>): string =>
  `error ${typeof code === "number" ? code : ""} ${typeof message === "string" ? message : ""}`.trim()

const resultText = (result: Readonly<Record<string, unknown>>): string => {
  const counts = Object.entries(lists).flatMap(([member, one]) => {
    const items = result[member]
    return Array.isArray(items) ? `${items.length} ${one}${items.length === 1 ? "" : "s"}` : []
  })
  const { protocolVersion, nextCursor, isError } = result
  return [
    ...(typeof protocolVersion === "string" ? [protocolVersion] : []),
    ...counts,
    ...(nextCursor === undefined || nextCursor === null ? [] : ["more to come"]),
    ...(isError === true ? ["the tool failed"] : []),
  ].join(", ")
}

const messageText = ({ message }: FrameEvent, answers: string | undefined): string => {
  if (Array.isArray(message)) return `${message.length} messages at once`
  if (!isJsonObject(message)) return "something that is no message"
  const { method, id, result, error, params } = message
  if (typeof method === "string") {
    const name = isJsonObject(params) ? (params["name"] ?? params["uri"]) : undefined
    return `${method}${typeof name === "string" ? ` ${name}` : ""}${idText(id)}`
  }
  const to = answers === undefined ? "answer" : `answer to ${answers}`
  const what = isJsonObject(error)
    ? errorText(error)
    : isJsonObject(result)
      ? resultText(result)
      : ""
  return `${to}${idText(id)}${what === "" ? "" : `: ${what}`}`
}

/** What a step is about: the sign before it, and its words. */
const about = (step: ReplayStep): readonly [string, string] => {
  switch (step.kind) {
    case "frame":
      return [arrows[step.frame.direction], messageText(step.frame, step.answers)]
    case "channel": {
      const { event, transport } = step.event
      const word = event === "failed" ? "could not be opened" : event
      return ["·", `${transport} ${word}`]
    }
    case "close":
      return ["·", "the owner closes the connection"]
    case "diverged":
      return ["!", step.detail]
  }
}

/** States with the changed ones first, because a narrow terminal may not show the others. */
const stateParts = (
  step: ReplayStep,
  before: ReplayStep["states"],
): ReadonlyArray<{ readonly text: string; readonly changed: boolean }> =>
  Object.entries(step.states)
    .map(([chart, state]) => ({
      text: oneLine(`${chart} ${state}`),
      changed: !Object.hasOwn(before, chart) || before[chart] !== state,
    }))
    .toSorted((one, other) => Number(other.changed) - Number(one.changed))

/** As many states as there is room for, the changed ones set off. */
const statesText = (parts: ReturnType<typeof stateParts>, room: number, style: Style): string => {
  const shown: Array<string> = []
  let left = room
  for (const { text, changed } of parts) {
    if (left <= 3) break
    const fitting = cut(text, left)
    shown.push(changed ? style.bold(fitting) : style.dim(fitting))
    left -= widthOf(fitting) + separator.length
  }
  return shown.join(style.dim(separator))
}

const separator = " · "

/** The columns of what a step is about, where nothing is cut. */
const wholeWidth = 48

/** What the connection ended in, on a line below. */
const errorLines = ({ error }: ReplayStep, style: Style): ReadonlyArray<string> =>
  error === undefined ? [] : [`${" ".repeat(18)}${style.bad("error:")} ${oneLine(error.message)}`]

/**
 * A step on one line, and on another what the connection ended in, if it did: its number, the time since the start, its direction, what it is about, the HTTP status, and the
 * states after it. `before` are the states before it.
 */
export const replayStepLines = (
  step: ReplayStep,
  before: ReplayStep["states"],
  width: number,
  style: Style,
): ReadonlyArray<string> => {
  const [sign, words] = about(step)
  const status = step.status === undefined ? "" : ` · HTTP ${step.status}`
  const time = `+${(step.sinceStartMs / 1_000).toFixed(3)}s`
  const head = `${String(step.number).padStart(4)} ${time.padStart(10)} ${sign} `
  const parts = stateParts(step, before)
  if (step.kind === "diverged") {
    // Never cut: it is what the exit code is about.
    return [`${style.dim(head.slice(0, -2))}${style.warning(`! ${oneLine(words)}`)}`]
  }
  const rest = width - widthOf(head)
  const column =
    width === Number.POSITIVE_INFINITY ? wholeWidth : Math.max(12, Math.floor(rest / 2))
  const limit = width === Number.POSITIVE_INFINITY ? width : column
  const text = `${cut(oneLine(words), limit - status.length)}${status}`
  const isRefusal = (step.status ?? 0) >= 400 || words.includes(": error ")
  const shown = isRefusal ? style.bad(pad(text, column)) : pad(text, column)
  const states = statesText(parts, rest - Math.max(column, widthOf(text)) - 2, style)
  return [`${style.dim(head)}${shown}  ${states}`.trimEnd(), ...errorLines(step, style)]
}
