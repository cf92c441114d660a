import { notification, tool, withRules } from "@entente/testkit"
import {
  answered,
  eventStream,
  everywhere,
  impatient,
  listing,
  listingIn,
  overHttp,
  overStdio,
  page,
  saidAnywhere,
  spoilt,
  whenListed,
} from "./listing-servers.js"
import type { Variant } from "./variant.js"

const failed = { verdict: "failed" } as const
const asked = (method: string) => ({ kind: "request", method }) as const

/** Family 2: what comes is no answer, or no list; and servers that end. */
export const listingReplies: ReadonlyArray<Variant> = [
  ...everywhere((era) => ({
    ...failed,
    name: "id-not-echoed",
    expects: "response-id-not-echoed",
    script: () => listing(era, { message: answered(era, [tool("echo")], 0) }),
    options: impatient,
  })),
  ...saidAnywhere((era) => ({
    ...failed,
    name: "id-of-an-earlier-request",
    expects: "response-id-not-echoed",
    script: () => listing(era, { message: answered(era, [tool("echo")], 1) }),
    options: impatient,
  })),
  ...saidAnywhere((era) => ({
    ...failed,
    name: "id-null",
    expects: "response-id-not-echoed",
    script: () => listing(era, { message: answered(era, [tool("echo")], null) }),
    options: impatient,
  })),
  ...overHttp((era) => ({
    ...failed,
    name: "id-not-echoed-on-a-stream",
    expects: "response-id-not-echoed",
    script: () =>
      listing(era, eventStream(), { event: { message: answered(era, [tool("echo")], 0) } }),
  })),
  ...listingIn({ over: ["memory"] })((era) => ({
    ...failed,
    name: "error-without-id",
    expects: "response-id-not-echoed",
    script: () =>
      listing(era, { message: { jsonrpc: "2.0", error: { code: -32603, message: "Failed" } } }),
    options: impatient,
  })),
  ...everywhere((era) => ({
    ...failed,
    name: "tools-is-an-object",
    expects: "list-is-no-list",
    script: () => listing(era, { result: page(era, { tools: { echo: tool("echo") } }) }),
  })),
  ...saidAnywhere((era) => ({
    ...failed,
    name: "result-without-tools",
    expects: "list-is-no-list",
    script: () => listing(era, { result: page(era, {}) }),
  })),
  ...saidAnywhere((era) => ({
    ...failed,
    name: "result-is-null",
    expects: "list-is-no-list",
    script: () => listing(era, { result: null }),
    // Over a channel without exchanges it is no answer at all, and the client waits for one.
    options: impatient,
  })),
  ...saidAnywhere((era) => ({
    ...failed,
    name: "cursor-is-a-number",
    expects: "list-is-no-list",
    script: () => listing(era, { result: page(era, { tools: [tool("echo")], nextCursor: 8 }) }),
  })),
  ...listingIn({ eras: ["modern"] })((era) => ({
    ...failed,
    name: "input-required-for-a-list",
    expects: "list-is-no-list",
    script: () =>
      listing(era, {
        result: { resultType: "input_required", inputRequests: {}, requestState: "s1" },
      }),
  })),
  ...overStdio((era) => ({
    ...failed,
    name: "crash-at-list",
    expects: "server-crashed-after",
    script: () =>
      listing(
        era,
        { stderr: "Traceback (most recent call last):\nValueError: no schema\n" },
        { exit: 1 },
      ),
  })),
  ...overStdio((era) => ({
    ...failed,
    name: "crash-in-the-middle-of-the-list",
    expects: "server-crashed-after",
    script: () => listing(era, { raw: '{"jsonrpc":"2.0","id":' }, { exit: 1 }),
  })),
  ...overStdio((era) => ({
    ...failed,
    name: "clean-end-at-list",
    expects: "server-crashed-after",
    script: () => listing(era, { exit: 0 }),
  })),
  {
    ...failed,
    name: "crash-at-initialized",
    family: 2,
    era: "legacy",
    over: "stdio",
    expects: "server-crashed-after",
    options: impatient,
    script: () =>
      withRules(
        spoilt("legacy"),
        {
          when: { kind: "notification", method: "notifications/initialized" },
          reply: [{ stderr: "unknown notification\n" }, { exit: 3 }],
        },
        whenListed([{ silence: true }]),
      ),
  },
  {
    ...failed,
    name: "crash-at-initialize",
    family: 0,
    era: "legacy",
    over: "stdio",
    expects: "process-exited",
    script: () =>
      withRules(spoilt("legacy"), {
        when: asked("initialize"),
        reply: [{ stderr: "KeyError: 'roots'\n" }, { exit: 1 }],
      }),
  },
  ...listingIn({ eras: ["legacy"] })((era) => ({
    verdict: "degraded",
    name: "changes-whenever-it-is-read",
    expects: "list-changes-while-read",
    script: () =>
      listing(
        era,
        { message: notification("notifications/tools/list_changed") },
        { message: answered(era) },
      ),
  })),
]
