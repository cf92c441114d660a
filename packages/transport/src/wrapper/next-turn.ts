/** Runs something in a later turn of the event loop. */
type NextTurn = (run: () => void) => void

/** Browsers make timers wait for milliseconds, but not messages. */
const byMessage = (): NextTurn => {
  const { port1, port2 } = new MessageChannel()
  const waiting: Array<() => void> = []
  port1.addEventListener("message", () => waiting.shift()?.())
  port1.start()
  return (run) => {
    waiting.push(run)
    port2.postMessage(undefined)
  }
}

let chosen: NextTurn | undefined

/** The next turn of the event loop: after what others do at once, and without taking time. */
export const nextTurn: NextTurn = (run) => {
  chosen ??= typeof setImmediate === "function" ? (later) => void setImmediate(later) : byMessage()
  chosen(run)
}
