import type { Direction } from "./sides.js"

/** What a log writes beside a message to say which way it went. */
export interface Mark {
  readonly direction: Direction
  /** Names the sides, so that it is true whoever wrote the log; `->` or `sent` depend on who that was. */
  readonly names: boolean
}

const words = (...patterns: ReadonlyArray<string>): RegExp =>
  new RegExp(String.raw`(?<![\w/.-])(?:${patterns.join("|")})(?![\w/-])`, "i")

const arrow = String.raw`\s{0,3}(?:-{0,2}>{1,3}|=>|→|⇒|to)\s{0,3}`
const arrowBack = String.raw`\s{0,3}(?:<{1,3}-{0,2}|<=|←|⇐)\s{0,3}`

/** The first that is found counts: what names both sides stands before what names one, arrows come last. */
const table: ReadonlyArray<readonly [RegExp, Mark]> = [
  [words(`(?:client|editor|host|c)${arrow}(?:server|s)`), { direction: "out", names: true }],
  [words(`(?:server|s)${arrow}(?:client|editor|host|c)`), { direction: "in", names: true }],
  [words(`(?:server|s)${arrowBack}(?:client|editor|host|c)`), { direction: "out", names: true }],
  [words(`(?:client|editor|host|c)${arrowBack}(?:server|s)`), { direction: "in", names: true }],
  [
    words("from client", "to server", "client says", "client sent"),
    { direction: "out", names: true },
  ],
  [
    words("from server", "to client", "server says", "server sent"),
    { direction: "in", names: true },
  ],
  // Right before the message, as chats are written; elsewhere in a line it says something else.
  [/(?:^|[\s[(])(?:client|stdin)[\])]?:?\s*$/i, { direction: "out", names: true }],
  [/(?:^|[\s[(])(?:server|stdout)[\])]?:?\s*$/i, { direction: "in", names: true }],
  [words("sen[dt]", "sending", "outgoing", "outbound", "tx"), { direction: "out", names: false }],
  [
    words("recv", "rcvd", "receive[ds]?", "receiving", "incoming", "inbound", "rx"),
    { direction: "in", names: false },
  ],
  [/(?:^|[\s[(])(?:OUT|out)[\])]?:?\s*$/, { direction: "out", names: false }],
  [/(?:^|[\s[(])(?:IN|in)[\])]?:?\s*$/, { direction: "in", names: false }],
  [/-{1,2}>|=>|>{2,}|→|⇒|➡|^\s*>(?!\S)|↑/, { direction: "out", names: false }],
  [/<-{1,2}|<=|<{2,}|←|⇐|⬅|^\s*<(?!\S)|↓/, { direction: "in", names: false }],
]

/** Further from the message stands the rest of the line. */
const nearby = 200

/** The mark in what stands before a message on its line. */
export const markIn = (prefix: string): Mark | undefined => {
  if (prefix.trim() === "") return undefined
  const near = prefix.slice(-nearby)
  return table.find(([pattern]) => pattern.test(near))?.[1]
}

/** Members of a JSON line by which proxies and loggers say the same. */
const members = [
  "direction",
  "dir",
  "from",
  "source",
  "sender",
  "origin",
  "type",
  "kind",
  "event",
  "msg",
  "message",
]

/** The mark in the members beside a message in a JSON line. */
export const markBeside = (object: { readonly [name: string]: unknown }): Mark | undefined => {
  for (const name of members) {
    const value = object[name]
    if (typeof value !== "string" || value.length > nearby) continue
    const mark = markIn(value)
    if (mark !== undefined) return mark
  }
  return undefined
}
