import * as Result from "effect/Result"
import { InvalidInput, explain } from "@entente/protocol"
import { defaultRetry, type RetryPolicy } from "./server/retry-policy.js"
import { defaultStarting, type StartingPolicy } from "./server/starting.js"

/** What holds for all servers of a catalog. Times are in milliseconds. */
export interface CatalogOptions {
  /** How soon a server is tried again that has failed; see `defaultRetry`. */
  readonly retry?: Partial<RetryPolicy>
  /** How many processes may be on their way up at the same time; see `defaultStarting`. */
  readonly starting?: Partial<StartingPolicy>
  /**
   * How often `list` at most reads the list of a server again that neither tells of changes nor says how long
   * its list is good; 60,000 by default.
   */
  readonly revalidateMs?: number
  /** How long `list` waits for one server, before it shows what is there; 10,000 by default. */
  readonly listMs?: number
  /** How long closing waits for all servers together; what is not gone by then goes on ending; 15,000 by default. */
  readonly closeMs?: number
}

/** The same with every default filled in. */
export interface CatalogPolicy {
  readonly retry: RetryPolicy
  readonly starting: StartingPolicy
  readonly revalidateMs: number
  readonly listMs: number
  readonly closeMs: number
}

/** The least that a number may be. */
const least: Readonly<Record<string, number>> = {
  "retry.baseMs": 1,
  "retry.maxMs": 1,
  "retry.steadyMs": 0,
  "starting.processes": 1,
  "starting.turnMs": 0,
  revalidateMs: 0,
  listMs: 0,
  closeMs: 0,
}

export const readOptions = (
  options: CatalogOptions,
): Result.Result<CatalogPolicy, InvalidInput> => {
  const policy: CatalogPolicy = {
    retry: { ...defaultRetry, ...options.retry },
    starting: { ...defaultStarting, ...options.starting },
    revalidateMs: options.revalidateMs ?? 60_000,
    listMs: options.listMs ?? 10_000,
    closeMs: options.closeMs ?? 15_000,
  }
  for (const [name, value] of numbersOf(policy)) {
    const limit = least[name]
    if (limit === undefined) continue
    if (typeof value !== "number" || !(value >= limit)) {
      const what = `${name} takes a number from ${limit}, not ${String(value)}.`
      return Result.fail(new InvalidInput(explain("invalid-input", "input", "catalog", what)))
    }
  }
  return Result.succeed(policy)
}

const numbersOf = ({
  retry,
  starting,
  ...rest
}: CatalogPolicy): ReadonlyArray<[string, unknown]> => [
  ...Object.entries(retry).map(([name, value]): [string, unknown] => [`retry.${name}`, value]),
  ...Object.entries(starting).map(([name, value]): [string, unknown] => [
    `starting.${name}`,
    value,
  ]),
  ...Object.entries(rest),
]
