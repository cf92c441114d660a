import type { Timer, Timers } from "../timers.js"

interface Item {
  readonly run: () => void
  /** When it may go, at the earliest. */
  readonly due: number
  /** A barrier: nothing passes until it is opened. */
  closed: boolean
}

/**
 * A stream of things that keep their order while some of them are late: nothing overtakes. What has
 * nothing before it and is not late goes at once.
 */
export class Lane {
  readonly #timers: Timers
  readonly #set = new Set<Timer>()
  #items: Array<Item> = []
  #waiting: Timer
  #running = false

  constructor(timers: Timers) {
    this.#timers = timers
  }

  push(run: () => void, delayMs = 0): void {
    // Whole milliseconds, because clocks count no others.
    const due = delayMs > 0 ? this.#timers.now() + Math.ceil(delayMs) : 0
    this.#add({ run, due, closed: false })
  }

  /** Holds up all that comes from now on, until the function returned is called, or for `ms`. */
  block(ms: number): () => void {
    const barrier: Item = { run: () => {}, due: 0, closed: true }
    const open = (): void => {
      barrier.closed = false
      this.#go()
    }
    this.#add(barrier)
    if (ms !== Infinity) this.#timer(open, ms)
    return open
  }

  /** Drops everything. */
  clear(): void {
    this.#items = []
    for (const timer of this.#set) this.#timers.clear(timer)
    this.#set.clear()
    this.#waiting = undefined
  }

  #add(item: Item): void {
    this.#items.push(item)
    this.#go()
  }

  #timer(run: () => void, ms: number): Timer {
    const timer: Timer = this.#timers.set(() => {
      this.#set.delete(timer)
      run()
    }, ms)
    this.#set.add(timer)
    return timer
  }

  #go(): void {
    if (this.#running || this.#waiting !== undefined) return
    this.#running = true
    for (let first = this.#items[0]; first !== undefined && !first.closed; first = this.#items[0]) {
      const wait = first.due === 0 ? 0 : first.due - this.#timers.now()
      if (wait > 0) {
        this.#waiting = this.#timer(() => {
          this.#waiting = undefined
          this.#go()
        }, wait)
        break
      }
      this.#items.shift()
      first.run()
    }
    this.#running = false
  }
}
