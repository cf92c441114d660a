import {
  connect,
  memoryResults,
  memoryVerdicts,
  type ConnectOptions,
  type PromiseClient,
  type ResultStore,
  type StoredResult,
} from "@entente/client"
import type { JsonObject } from "@entente/protocol"
import { modernServer, tool, withRules, type Rule, type Script } from "@entente/testkit"
import type { Transport } from "@entente/transport"

export const complete = { resultType: "complete" } as const
export const fresh = { ...complete, ttlMs: 60_000, cacheScope: "public" } as const

/** A store in memory that shows what is in it. */
export interface OpenStore extends ResultStore {
  readonly entries: Map<string, StoredResult>
  readonly errands: Array<string>
}

/** What stands in it is the very text: nothing is hidden by another store in between. */
export const openStore = (reach: ResultStore["reach"] = "process"): OpenStore => {
  const entries = new Map<string, StoredResult>()
  const errands: Array<string> = []
  return {
    reach,
    entries,
    errands,
    get: (key) => {
      errands.push("get")
      return entries.get(key)?.text
    },
    set: (key, result) => {
      errands.push("set")
      entries.set(key, result)
    },
    delete: (prefix) => {
      errands.push("delete")
      for (const key of entries.keys()) if (key.startsWith(prefix)) entries.delete(key)
    },
  }
}

/** What is said to whom: the tools by the value of a header. */
export const byHeader = (
  header: string,
  shown: Readonly<Record<string, string>>,
  hints: JsonObject,
  result: (name: string) => JsonObject = (name) => ({ tools: [tool(name)] }),
  method = "tools/list",
): Script =>
  withRules(
    modernServer({ tools: [], resources: [] }),
    ...Object.entries(shown).map(([value, name]): Rule => ({
      when: { method, headers: { [header]: value } },
      reply: [{ result: { ...complete, ...hints, ...result(name) } }],
    })),
  )

/** The names of the tools that one new client sees. */
export const toolsSeen = async (
  transport: Transport,
  options: ConnectOptions,
): Promise<ReadonlyArray<string>> => {
  await using client = await connect(transport, { verdicts: memoryVerdicts(), ...options })
  return await toolNames(client)
}

export const toolNames = async (client: PromiseClient): Promise<ReadonlyArray<string>> =>
  (await client.tools.list()).items.map(({ name }) => name)

export const detailOf = (
  { notes }: Pick<PromiseClient, "notes">,
  code: string,
): string | undefined => notes.find((note) => note.code === code)?.detail

export { memoryResults }
