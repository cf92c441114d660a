import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Stream from "effect/Stream"
import { Client, memoryVerdicts, type Listing } from "@entente/client"
import { metaKey, type Tool } from "@entente/protocol"
import {
  legacyServer,
  memoryPeer,
  modernServer,
  notification,
  tool,
  type MemoryPeer,
  type Rule,
  type Step,
} from "@entente/testkit"
import { until } from "../field/scripted-http.js"

export type Era = "legacy" | "modern"

export const eras: ReadonlyArray<Era> = ["legacy", "modern"]

export const toolsChanged = "notifications/tools/list_changed"

/** The request that a modern server tells of changes on. */
const subscription = "subscriptions/listen"

/** A server that says when its tools change, and a client of it. */
export const connectTo = (era: Era, ...names: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const offers = {
      tools: names.map((name) => tool(name)),
      capabilities: { tools: { listChanged: true } },
    }
    const peer = memoryPeer(era === "legacy" ? legacyServer(offers) : modernServer(offers))
    const client = yield* Client.connect(peer.transport, {
      verdicts: memoryVerdicts(),
      mode: era,
    })
    yield* until(() => client.listening === "open")
    const [listen] = peer.requests(subscription)
    const change: Step = {
      message: notification(
        toolsChanged,
        listen === undefined ? {} : { _meta: { [metaKey.subscriptionId]: listen.message.id } },
      ),
    }
    return {
      peer,
      client,
      change,
      /** The server says that its tools have changed. */
      notify: () =>
        listen === undefined
          ? peer.play([change, { silence: true }])
          : peer.play([change, { silence: true }], { method: subscription }),
    }
  })

/** The pages of a list, with steps around the answer to each. */
export const listOf = (
  pages: ReadonlyArray<ReadonlyArray<string>>,
  around: (page: number) => {
    before?: ReadonlyArray<Step>
    after?: ReadonlyArray<Step>
  } = () => ({}),
): ReadonlyArray<Rule> =>
  pages.map((names, index): Rule => {
    const { before = [], after = [] } = around(index + 1)
    const result = {
      resultType: "complete",
      tools: names.map((name) => tool(name)),
      ...(index + 1 < pages.length ? { nextCursor: String(index + 2) } : {}),
    }
    const cursor = index === 0 ? { $present: false } : String(index + 1)
    return {
      when: { method: "tools/list", params: { cursor } },
      reply: [...before, { result }, ...after],
    }
  })

/** Puts a list in the place of what was there before. */
export const serve = (peer: MemoryPeer, rules: ReadonlyArray<Rule>): void => {
  for (const rule of rules.toReversed()) peer.add(rule)
}

export const lists = (peer: MemoryPeer): number => peer.requests("tools/list").length

/** Follows the tools of a client, and collects what comes. */
export const following = (client: Client.Client) =>
  Effect.gen(function* () {
    const seen: Array<Listing<Tool>> = []
    const fiber = yield* Effect.forkChild(
      Stream.runForEach(client.tools.follow(), (listing) =>
        Effect.sync(() => void seen.push(listing)),
      ),
    )
    return {
      seen,
      versions: () => seen.map(({ version, items }) => [version, ...items.map(({ name }) => name)]),
      stop: Fiber.interrupt(fiber),
    }
  })

/** Lets everything happen that needs no time to pass. */
export const settle = Effect.promise(async () => {
  for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve))
})
