import { describe, expect, it } from "vitest"
import {
  existsIn,
  gateOf,
  isNotificationMethod,
  isReplaySafe,
  isRequestMethod,
  missingCapability,
  notifications,
  paramsSchema,
  requestRow,
  requests,
  resultSchema,
  revisions,
  senderOf,
  type Revision,
} from "../src/index.js"

const every = Object.keys(revisions) as ReadonlyArray<Revision>
const legacy = every.filter((revision) => revision !== "2026-07-28").toSorted()
const methods = [...Object.keys(requests), ...Object.keys(notifications)]
const where = (test: (row: { readonly [key: string]: unknown }) => boolean) =>
  Object.entries(requests)
    .filter(([, row]) => test(row))
    .map(([method]) => method)
    .toSorted()

/** Sender, revisions and gate as the specification tells them, written down a second time. */
const told: ReadonlyArray<readonly [string, string, string, string | undefined]> = [
  ["initialize", "client", "ABCD", undefined],
  ["notifications/initialized", "client", "ABCD", undefined],
  ["ping", "both", "ABCD", undefined],
  ["server/discover", "client", "E", undefined],
  ["tools/list", "client", "ABCDE", "receiver tools"],
  ["tools/call", "client", "ABCDE", "receiver tools"],
  ["resources/list", "client", "ABCDE", "receiver resources"],
  ["resources/read", "client", "ABCDE", "receiver resources"],
  ["resources/templates/list", "client", "ABCDE", "receiver resources"],
  ["resources/subscribe", "client", "ABCD", "receiver resources.subscribe"],
  ["resources/unsubscribe", "client", "ABCD", "receiver resources.subscribe"],
  ["prompts/list", "client", "ABCDE", "receiver prompts"],
  ["prompts/get", "client", "ABCDE", "receiver prompts"],
  ["completion/complete", "client", "ABCDE", "receiver completions"],
  ["logging/setLevel", "client", "ABCD", "receiver logging"],
  ["subscriptions/listen", "client", "E", undefined],
  ["roots/list", "server", "ABCD", "receiver roots"],
  ["sampling/createMessage", "server", "ABCD", "receiver sampling"],
  ["elicitation/create", "server", "CD", "receiver elicitation"],
  ["tasks/get", "both", "DE", "receiver tasks"],
  ["tasks/result", "both", "D", "receiver tasks"],
  ["tasks/list", "both", "D", "receiver tasks.list"],
  ["tasks/cancel", "both", "DE", "receiver tasks.cancel"],
  ["tasks/update", "client", "E", "receiver extensions.io.modelcontextprotocol/tasks"],
  ["notifications/cancelled", "both", "ABCDE", undefined],
  ["notifications/progress", "both", "ABCDE", undefined],
  ["notifications/message", "server", "ABCDE", "sender logging"],
  ["notifications/tools/list_changed", "server", "ABCDE", "sender tools.listChanged"],
  ["notifications/prompts/list_changed", "server", "ABCDE", "sender prompts.listChanged"],
  ["notifications/resources/list_changed", "server", "ABCDE", "sender resources.listChanged"],
  ["notifications/resources/updated", "server", "ABCDE", "sender resources.subscribe"],
  ["notifications/roots/list_changed", "client", "ABCD", "sender roots.listChanged"],
  ["notifications/elicitation/complete", "server", "D", "receiver elicitation.url"],
  ["notifications/tasks/status", "both", "D", "sender tasks"],
  ["notifications/tasks", "server", "E", "sender extensions.io.modelcontextprotocol/tasks"],
  ["notifications/subscriptions/acknowledged", "server", "E", undefined],
]

const letters = Object.fromEntries(
  [...every].toReversed().map((revision, i) => [revision, "ABCDE"[i]]),
)

describe("the method table", () => {
  it("has every method of both eras, and no other", () => {
    expect(methods.toSorted()).toEqual(told.map(([method]) => method).toSorted())
  })

  it.each(told)("%s is sent by %s in %s behind %s", (method, sender, known, gate) => {
    const found = every.filter((revision) => existsIn(method, revision))
    expect(
      found
        .map((revision) => letters[revision])
        .toReversed()
        .join(""),
    ).toBe(known)
    // Where all of it is settled: in 2025-11-25, or else in the modern revision.
    const revision = existsIn(method, "2025-11-25") ? "2025-11-25" : "2026-07-28"
    expect(senderOf(method, revision)).toBe(sender)
    const { owner, capability } = gateOf(method, revision) ?? {}
    expect(owner === undefined ? undefined : `${owner} ${capability}`).toBe(gate)
  })

  it("describes params wherever a method exists, and a result for every request", () => {
    for (const method of methods) {
      for (const revision of every) {
        const exists = existsIn(method, revision)
        expect(paramsSchema(method, revision) !== undefined, `${method} ${revision}`).toBe(exists)
        expect(resultSchema(method, revision) !== undefined, `${method} ${revision}`).toBe(
          exists && isRequestMethod(method),
        )
      }
    }
  })

  it("tells requests from notifications", () => {
    expect(methods.filter(isRequestMethod)).toEqual(Object.keys(requests))
    expect(methods.filter(isNotificationMethod)).toEqual(Object.keys(notifications))
  })

  it("V26-ENV-12 the modern era has no handshake, ping, level, subscribe or server request", () => {
    const gone = methods.filter(
      (method) => existsIn(method, "2025-11-25") && !existsIn(method, "2026-07-28"),
    )
    expect(gone.toSorted()).toEqual([
      "elicitation/create",
      "initialize",
      "logging/setLevel",
      "notifications/elicitation/complete",
      "notifications/initialized",
      "notifications/roots/list_changed",
      "notifications/tasks/status",
      "ping",
      "resources/subscribe",
      "resources/unsubscribe",
      "roots/list",
      "sampling/createMessage",
      "tasks/list",
      "tasks/result",
    ])
  })

  it("V26-ENV-07 lets a modern server send no request", () => {
    const sent = Object.keys(requests).filter((method) => {
      const sender = senderOf(method, "2026-07-28")
      return sender !== undefined && sender !== "client"
    })
    expect(sent).toEqual([])
  })

  it("lets only a modern server report progress", () => {
    expect(senderOf("notifications/progress", "2026-07-28")).toBe("server")
    expect(senderOf("notifications/progress", "2025-11-25")).toBe("both")
  })

  it("V26-HTTP-09 calls safe to replay what changes nothing", () => {
    expect(Object.keys(requests).filter(isReplaySafe).toSorted()).toEqual([
      "completion/complete",
      "ping",
      "prompts/get",
      "prompts/list",
      "resources/list",
      "resources/read",
      "resources/templates/list",
      "server/discover",
      "subscriptions/listen",
      "tasks/get",
      "tasks/list",
      "tasks/result",
      "tools/list",
    ])
    expect(isReplaySafe("acme/launch")).toBe(false)
  })

  it("V26-CACHE-01 names the cacheable, V26-MRTR-01 the multi-round and V26-TASK-02 the taskable", () => {
    expect(where((row) => row["cacheable"] === true)).toEqual([
      "prompts/list",
      "resources/list",
      "resources/read",
      "resources/templates/list",
      "server/discover",
      "tools/list",
    ])
    expect(where((row) => row["multiRound"] === true)).toEqual([
      "prompts/get",
      "resources/read",
      "tools/call",
    ])
    expect(where((row) => row["taskable"] === true)).toEqual(["tools/call"])
  })

  it("V25-PAGE-01 V26-PAGE-06 names the paged lists and what holds their items", () => {
    const pages = Object.keys(requests).map((method) => requestRow(method)?.page)
    expect(
      pages.flatMap((page) => (page === undefined ? [] : [`${page.member} by ${page.key}`])),
    ).toEqual([
      "tools by name",
      "prompts by name",
      "resources by uri",
      "resourceTemplates by uriTemplate",
      "tasks by taskId",
    ])
  })
})

describe("gates", () => {
  it("V25-CAP-01 an empty object opens a gate", () => {
    expect(missingCapability("tools/list", "2025-11-25", { tools: {} })).toBeUndefined()
  })

  it("V25-CAP-02 V26-DISC-05 an absent capability is named", () => {
    expect(missingCapability("prompts/get", "2026-07-28", { tools: {} })).toBe("prompts")
  })

  it.each([{}, { subscribe: false }, { subscribe: null }, { listChanged: true }])(
    "V25-CAP-03 resources %j does not allow subscribing",
    (resources) => {
      expect(missingCapability("resources/subscribe", "2025-11-25", { resources })).toBe(
        "resources.subscribe",
      )
    },
  )

  it("V25-CAP-03 resources.subscribe allows it", () => {
    const capabilities = { resources: { subscribe: true } }
    expect(missingCapability("resources/subscribe", "2025-11-25", capabilities)).toBeUndefined()
  })

  it("V25-CAP-11 completion has no gate before there was a flag for it", () => {
    expect(missingCapability("completion/complete", "2024-11-05", {})).toBeUndefined()
    expect(missingCapability("completion/complete", "2025-03-26", {})).toBe("completions")
  })

  it("V25-TASK-14 tasks/list wants the sub-flag, tasks/get the capability alone", () => {
    expect(missingCapability("tasks/get", "2025-11-25", { tasks: {} })).toBeUndefined()
    expect(missingCapability("tasks/list", "2025-11-25", { tasks: {} })).toBe("tasks.list")
  })

  it("V26-TASK-19 modern tasks want the extension, not the old capability", () => {
    const name = "extensions.io.modelcontextprotocol/tasks"
    expect(missingCapability("tasks/get", "2026-07-28", { tasks: {} })).toBe(name)
    const extensions = { "io.modelcontextprotocol/tasks": {} }
    expect(missingCapability("tasks/get", "2026-07-28", { extensions })).toBeUndefined()
  })

  it.each(["acme/launch", "__proto__", "constructor", "toString"])(
    "the unknown method %s has no gate and exists nowhere",
    (method) => {
      expect(gateOf(method, "2025-11-25")).toBeUndefined()
      expect(every.some((revision) => existsIn(method, revision))).toBe(false)
      expect(missingCapability(method, "2025-11-25", {})).toBeUndefined()
    },
  )

  it("an inherited member of the capabilities opens nothing", () => {
    const polluted = JSON.parse('{"__proto__":{"tools":{}}}')
    expect(missingCapability("tools/list", "2025-11-25", polluted)).toBe("tools")
    expect(missingCapability("tools/list", "2025-11-25", Object.create({ tools: {} }))).toBe(
      "tools",
    )
  })

  it("gates of all legacy revisions are those of the newest, but for completion", () => {
    const changing = methods.filter((method) => {
      const gates = legacy
        .filter((revision) => existsIn(method, revision))
        .map((revision) => gateOf(method, revision))
      return new Set(gates).size > 1
    })
    expect(changing).toEqual(["completion/complete"])
  })
})
