import type { ResultStore } from "./result-store.js"

/** The commands that are used, as the client of the package `redis` has them. */
export interface RedisCommands {
  readonly get: (key: string) => Promise<string | null>
  readonly eval: (
    script: string,
    options: { readonly keys: Array<string>; readonly arguments: Array<string> },
  ) => Promise<unknown>
}

export interface RedisResultsOptions {
  /** What all keys in Redis begin with; `entente:` by default. */
  readonly prefix?: string
}

/*
 * The keys of a group are in a sorted set beside them, by the time they expire, because looking through all
 * keys of a database takes as long as that is large. Each script is one step for everybody else.
 */

/** Sets one key, and forgets in the set what has expired meanwhile. The set lives as long as its last key. */
const setScript = `
local time = redis.call("TIME")
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call("SET", KEYS[2], ARGV[1], "PX", ARGV[2])
redis.call("ZREMRANGEBYSCORE", KEYS[1], "-inf", string.format("%.0f", now))
redis.call("ZADD", KEYS[1], string.format("%.0f", now + ARGV[2]), KEYS[2])
local last = redis.call("ZRANGE", KEYS[1], -1, -1, "WITHSCORES")
redis.call("PEXPIREAT", KEYS[1], string.format("%.0f", last[2]))
`

const deleteOneScript = `
redis.call("UNLINK", KEYS[2])
redis.call("ZREM", KEYS[1], KEYS[2])
`

const deleteGroupScript = `
for _, key in ipairs(redis.call("ZRANGE", KEYS[1], 0, -1)) do redis.call("UNLINK", key) end
redis.call("UNLINK", KEYS[1])
`

/**
 * Keeps results in a Redis of version 5 or newer, for any number of machines. It needs a connected client and
 * leaves it to its owner; how much is kept is up to Redis (`maxmemory`), for how long up to the results. All
 * keys of one group have a hash tag in common, so that a cluster has them in one place.
 *
 * @example
 * import { createClient } from "redis"
 * const redis = await createClient({ url: "redis://localhost:6379" }).connect()
 * const client = await connect(url, { cache: { store: redisResults(redis, { prefix: "my-host:" }) } })
 */
export const redisResults = (
  client: RedisCommands,
  { prefix = "entente:" }: RedisResultsOptions = {},
): ResultStore => {
  const nameOf = (key: string): string => {
    const [group = "", entry] = key.split(".")
    return `${prefix}{${group}}${entry === undefined ? "" : `.${entry}`}`
  }
  const groupOf = (key: string): string => nameOf(key.slice(0, key.indexOf(".")))
  return {
    reach: "anywhere",
    get: (key) => client.get(nameOf(key)),
    set: (key, { text, ttlMs }) =>
      client.eval(setScript, {
        keys: [groupOf(key), nameOf(key)],
        arguments: [text, String(Math.ceil(ttlMs))],
      }),
    delete: (key) =>
      key.endsWith(".")
        ? client.eval(deleteGroupScript, { keys: [groupOf(key)], arguments: [] })
        : client.eval(deleteOneScript, { keys: [groupOf(key), nameOf(key)], arguments: [] }),
  }
}
