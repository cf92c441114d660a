import type { Headers } from "./frame.js"

/** A header whose value was hidden is a secret one; handles are numbered and no credentials. */
const hidden = /‹redacted›/

const carriers = /authorization|api-?key|token|cookie|secret|x-auth/i

/** The names of headers that carry credentials, as they were sent. What they hold is never seen here. */
export const credentialsIn = (headers: Headers | undefined): ReadonlyArray<string> =>
  Object.entries(headers ?? {})
    .filter(
      ([name, value]) =>
        value !== "" && (name === "authorization" || (carriers.test(name) && hidden.test(value))),
    )
    .map(([name]) => name)
