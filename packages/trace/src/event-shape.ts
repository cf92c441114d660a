import type { TraceEvent } from "./event.js"

/** Whether a value is what a member must be; the text says what that is. */
interface Member {
  readonly is: (value: unknown) => boolean
  readonly what: string
}

const text: Member = { is: (value) => typeof value === "string", what: "a string" }
const number: Member = { is: Number.isFinite, what: "a number" }
const anything: Member = { is: (value) => value !== undefined, what: "present" }
const maybe = ({ is, what }: Member): Member => ({
  is: (value) => value === undefined || is(value),
  what: `absent or ${what}`,
})
const oneOf = (...names: ReadonlyArray<string>): Member => ({
  is: (value) => names.some((name) => name === value),
  what: `one of ${names.join(", ")}`,
})
const texts: Member = {
  is: (value) =>
    isRecord(value) && Object.values(value).every((member) => typeof member === "string"),
  what: "an object of strings",
}

type Members<Type> = { readonly [Name in keyof Type]-?: Member }

/** What every event has. */
const stamp: Members<Pick<TraceEvent, "seq" | "at">> = { seq: number, at: number }

/** What the events of each type have besides. */
const shapes: {
  readonly [Type in TraceEvent["type"]]: Members<
    Omit<Extract<TraceEvent, { readonly type: Type }>, "type" | "seq" | "at">
  >
} = {
  frame: {
    direction: oneOf("out", "in"),
    message: anything,
    exchange: maybe(number),
    channel: maybe(number),
    send: maybe(number),
    headers: maybe(texts),
  },
  http: { exchange: number, method: text, url: text, status: maybe(number), headers: texts },
  process: {
    event: oneOf("spawned", "stderr", "noise", "exited", "signalled"),
    detail: text,
  },
  transition: { chart: text, event: text, from: text, to: text },
  note: { code: text, detail: text, channel: maybe(number) },
  error: { code: text, stage: text, message: text },
  channel: {
    channel: number,
    event: oneOf("opened", "failed", "closed", "released"),
    transport: text,
    target: text,
    exchanges: maybe(oneOf("shared", "per-request")),
    error: maybe(anything),
  },
  outcome: { channel: number, send: number, outcome: anything },
  unreadable: { channel: number, exchange: number, error: anything },
  stream: {
    channel: number,
    send: number,
    exchange: number,
    event: oneOf("asked", "opened", "delivered", "ended"),
    end: maybe(anything),
  },
  ask: { channel: number, what: text, outcome: anything },
  experiment: { name: text },
}

/** An event of a type that this version does not know. */
export interface UnknownEvent {
  readonly seq: number
  readonly at: number
  readonly type: string
  readonly [member: string]: unknown
}

/** What a value is, seen as an event. Members that are not known are kept. */
export type Recognised =
  | { readonly kind: "event"; readonly event: TraceEvent }
  | { readonly kind: "unknown"; readonly event: UnknownEvent }
  | { readonly kind: "invalid"; readonly reason: string }

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const isKnownType = (type: string): type is TraceEvent["type"] => Object.hasOwn(shapes, type)

/** Judges a value that may be an event. */
export const recognise = (value: unknown): Recognised => {
  if (!isRecord(value)) return { kind: "invalid", reason: "not an object" }
  const { type } = value
  if (typeof type !== "string") return { kind: "invalid", reason: '"type" must be a string' }
  const known = isKnownType(type)
  const members: Readonly<Record<string, Member>> = known ? { ...stamp, ...shapes[type] } : stamp
  for (const [name, { is, what }] of Object.entries(members)) {
    if (!is(Object.hasOwn(value, name) ? value[name] : undefined)) {
      return { kind: "invalid", reason: `"${name}" must be ${what}` }
    }
  }
  // The loop above has checked what each type names.
  return known
    ? { kind: "event", event: value as unknown as TraceEvent }
    : { kind: "unknown", event: value as UnknownEvent }
}
