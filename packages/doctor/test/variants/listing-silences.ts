import { notification } from "@entente/testkit"
import {
  answered,
  eventStream,
  everywhere,
  impatient,
  listing,
  overHttp,
  overStdio,
  tooLate,
} from "./listing-servers.js"
import type { Variant } from "./variant.js"

const failed = { verdict: "failed" } as const

const log = notification("notifications/message", { level: "info", data: "reading" })

/** Milliseconds that a buffer holds a stream back. */
const held = 1_200

/** The answer to a list, cut before its end. */
const cutAfter = (bytes: number) => {
  const begun = '{"jsonrpc":"2.0","id":'
  const go = ',"result":{"tools":[{"name":"'
  // An id of one digit, as the doctor's client has here.
  return [
    begun,
    { json: { $from: "/id" } },
    go,
    { repeat: "x", times: bytes - begun.length - go.length - 1 },
  ]
}

/** Family 2: no answer comes, or not all of it, or not in time. */
export const listingSilences: ReadonlyArray<Variant> = [
  ...everywhere((era) => ({
    ...failed,
    name: "list-never-answered",
    expects: "list-unanswered",
    script: () => listing(era, { silence: true }),
    options: impatient,
  })),
  ...everywhere((era) => ({
    ...failed,
    name: "list-answered-too-late",
    expects: "list-answered-late",
    script: () => listing(era, { delay: tooLate }, { message: answered(era) }),
    options: impatient,
  })),
  ...overHttp((era) => ({
    ...failed,
    name: "accepted-without-an-answer",
    expects: "list-answered-with-nothing",
    script: () => listing(era),
  })),
  ...overHttp((era) => ({
    ...failed,
    name: "stream-ends-without-the-list",
    expects: "list-answered-with-nothing",
    script: () => listing(era, eventStream(), { comment: "working" }),
  })),
  ...overHttp((era) => ({
    ...failed,
    name: "connection-cut",
    expects: "list-connection-cut",
    script: () => listing(era, { destroy: true }),
  })),
  ...overHttp((era) => ({
    ...failed,
    name: "stream-brings-nothing",
    expects: "stream-open-no-events",
    script: () => listing(era, eventStream({ via: "1.1 proxy" }), { silence: true }),
    options: impatient,
  })),
  ...overHttp((era) => ({
    verdict: "degraded",
    name: "stream-buffered",
    expects: "stream-buffered",
    script: () =>
      listing(
        era,
        eventStream({ server: "nginx/1.24.0", "content-encoding": "identity" }),
        { delay: held },
        // Everything at once, as a buffer lets go of it.
        {
          raw: [log, log, answered(era)].flatMap((json) => ["data: ", { json }, "\n\n"]),
        },
      ),
  })),
  ...overStdio((era) => ({
    ...failed,
    name: "cut-at-a-pipe-then-silence",
    expects: "answer-truncated",
    script: () => listing(era, { raw: cutAfter(65_536) }, { silence: true }),
    options: impatient,
  })),
  ...[4_096, 8_192, 65_536].flatMap((bytes) =>
    overStdio((era) => ({
      ...failed,
      name: `cut-at-${bytes}-then-end`,
      expects: "answer-truncated",
      script: () => listing(era, { raw: cutAfter(bytes) }, { exit: 0 }),
    })),
  ),
  ...overHttp((era) => ({
    ...failed,
    name: "body-cut",
    expects: "answer-truncated",
    script: () =>
      listing(era, {
        http: {
          headers: { "content-type": "application/json" },
          text: '{"jsonrpc":"2.0","id":2,"res',
        },
      }),
  })),
  ...overHttp((era) => ({
    ...failed,
    name: "body-shorter-than-announced",
    expects: "answer-truncated",
    script: () =>
      listing(
        era,
        { http: { headers: { "content-type": "application/json", "content-length": "70000" } } },
        { raw: cutAfter(65_536) },
        { destroy: true },
      ),
  })),
  ...overHttp((era) => ({
    ...failed,
    name: "cut-inside-an-event",
    expects: "answer-truncated",
    script: () =>
      listing(era, eventStream(), { raw: ["data: ", ...cutAfter(8_192 - "data: ".length)] }),
  })),
  ...overHttp((era) => ({
    ...failed,
    name: "event-cut-and-ended",
    expects: "answer-truncated",
    script: () => listing(era, eventStream(), { raw: ["data: ", ...cutAfter(100), "\n\n"] }),
  })),
]
