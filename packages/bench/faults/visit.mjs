// What a client does to meet a fault, step by step, each with an end of its own.
import { describeError } from "./error-text.mjs"
import { lingering, stepLimit, waiting } from "./limits.mjs"

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

const stuck = Symbol("stuck")

const step = async (nameOf, run) => {
  const began = performance.now()
  let timer
  const limit = new Promise((resolve) => {
    timer = setTimeout(resolve, stepLimit, stuck)
  })
  const took = () => Math.round(performance.now() - began)
  try {
    const value = await Promise.race([Promise.resolve().then(run), limit])
    return value === stuck
      ? { outcome: "waiting", ms: took() }
      : { outcome: "ok", ms: took(), value }
  } catch (error) {
    return { outcome: "error", ms: took(), error: describeError(error, nameOf) }
  } finally {
    clearTimeout(timer)
  }
}

const listed = ({ status, items, quarantined = [], reason }) => ({
  status,
  count: items.length,
  names: items.slice(0, 50).map(({ name }) => name),
  first: items[0] && { title: items[0].title, description: items[0].description },
  quarantined: JSON.stringify(quarantined).slice(0, 2_000),
  aside: quarantined.length,
  ...(reason && { reason }),
})

const called = ({ content, isError }) => ({
  text: content
    .map((block) => (typeof block.text === "string" ? block.text : ""))
    .join("")
    .slice(0, 200),
  blocks: content.length,
  ...(isError === true && { isError }),
})

/**
 * Connects, does what the misbehaviour wants tried, and closes. `again`: lists the tools once more at the
 * end, to see whether the connection is still there. `alsoCall`: calls a tool, whatever is to be tried.
 */
export const visit = async (client, { attempt, again = false, alsoCall = false }) => {
  const { nameOf } = client
  const seen = {}
  const passed = async (name, run, read) => {
    seen[name] = await step(nameOf, async () => read(await run()))
    return seen[name].outcome === "ok"
  }
  const walk = async () => {
    if (!(await passed("connect", client.connect, (value) => value))) return
    if (attempt === "connect") return
    const complete = await passed("list", client.list, listed)
    if (attempt === "wait") await pause(waiting)
    if (complete && (attempt === "call-echo" || alsoCall)) await passed("call", client.call, called)
    if (again) await passed("again", client.again, listed)
  }
  await walk()
  // What comes with the last answer, such as a ping, is dealt with after it.
  if (seen.connect.outcome === "ok") await pause(lingering)
  const { standing } = await step(nameOf, async () => ({ standing: client.standing() })).then(
    ({ value }) => value ?? {},
  )
  const notes = client.notes?.()
  seen.close = await step(nameOf, client.close)
  delete seen.close.value
  return { ...seen, standing, ...(notes && { notes }), polluted: {}.polluted === true }
}
