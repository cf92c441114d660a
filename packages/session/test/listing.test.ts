import { describe, expect, it } from "vitest"
import { createActor, fromCallback, SimulatedClock } from "xstate"
import {
  defaultListing,
  listingMachine,
  type ListingEvent,
  type ListingPolicy,
  type ListingRead,
} from "../src/index.js"
import { Taken } from "./support/transitions.js"

const taken = new Taken()

/** A list whose walks are played by the test. */
const start = (policy: Partial<ListingPolicy> = {}, offered = true) => {
  const clock = new SimulatedClock()
  const walks: Array<number> = []
  const stopped: Array<number> = []
  let churn = 0
  let sendBack: (event: ListingEvent) => void = () => {}
  const machine = listingMachine.provide({
    actors: {
      walk: fromCallback<ListingEvent>((walk) => {
        walks.push(clock.now())
        sendBack = walk.sendBack
        return () => stopped.push(clock.now())
      }),
    },
    actions: { noteChurn: () => churn++ },
  })
  const actor = createActor(machine, {
    input: { offered, now: () => clock.now(), random: () => 0, policy },
    clock,
    inspect: taken.inspect,
  })
  actor.start()
  const state = () => actor.getSnapshot().value
  const context = () => actor.getSnapshot().context
  const send = (...events: ReadonlyArray<ListingEvent | ListingEvent["type"]>): void => {
    for (const event of events) {
      actor.send(typeof event === "string" ? ({ type: event } as ListingEvent) : event)
    }
  }
  /** What the walk under way tells: pages, and then what it came to. */
  const pages = (count: number, generation = 0): void => {
    for (let page = 1; page <= count; page++) sendBack({ type: "page", page, generation })
  }
  const read = (rest: Partial<ListingRead> = {}): void => {
    pages(1)
    sendBack({ ...whole, ...rest })
  }
  return {
    actor,
    clock,
    walks,
    stopped,
    state,
    context,
    send,
    pages,
    read,
    tell: (event: ListingEvent) => sendBack(event),
    churn: () => churn,
  }
}

const whole = {
  type: "read",
  requests: 1,
  whole: true,
  news: true,
  outdated: false,
  cached: false,
  failed: false,
} as const
const failed = { type: "failed", requests: 1 } as const
const refused = { type: "refused", requests: 1 } as const
const same = { news: false }
const overheard = (rest: Partial<ListingRead> = {}) =>
  ({ ...whole, ...rest, type: "overheard" }) as const
const recovered = (offered = true) => ({ type: "recovered", offered }) as const

/** A list that was read and is followed. */
const followed = (policy: Partial<ListingPolicy> = {}) => {
  const list = start(policy)
  list.send("follow")
  list.read()
  expect(list.state()).toBe("live")
  return list
}

describe("a list", () => {
  it("is read when somebody asks, and refreshed with the last one at hand", () => {
    const { state, send, pages, read, context, stopped } = start()
    expect(state()).toBe("unknown")
    send("ask")
    expect(state()).toBe("fetching")
    pages(2)
    expect(context().walk).toMatchObject({ page: 2, generation: 0 })
    send("ask")
    read()
    expect(state()).toBe("live")
    send("ask")
    expect(state()).toBe("refreshing")
    expect(context().held).toBe("whole")
    send("ask")
    read(same)
    expect(state()).toBe("live")
    expect(stopped).toHaveLength(2)
  })

  it("V25-LIST-02 records how often a walk has started again", () => {
    const { send, tell, pages, context } = start()
    send("ask")
    pages(2)
    pages(1, 1)
    expect(context().walk).toMatchObject({ page: 1, generation: 1 })
    tell({ ...whole, requests: 3, outdated: true })
    expect(context()).toMatchObject({ doubt: "changed", walk: { requests: 3 } })
  })

  it("without followers a notice makes it stale, and asks for nothing", () => {
    const { state, send, read, clock, walks } = start()
    send("changed")
    expect(state()).toBe("unknown")
    send("ask")
    read()
    send("changed")
    expect(state()).toBe("stale")
    clock.increment(3_600_000)
    expect([state(), walks.length]).toEqual(["stale", 1])
  })

  it("V26-CACHE-02 V26-CACHE-04 is stale when its time to live is over, and asks for nothing even while it is followed", () => {
    const { state, send, read, clock, walks, context } = start()
    send("follow")
    read({ expiresAt: 5_000 })
    clock.increment(4_999)
    expect(state()).toBe("live")
    clock.increment(1)
    expect(state()).toBe("stale")
    expect(context().doubt).toBe("expired")
    clock.increment(3_600_000)
    expect(walks).toHaveLength(1)
    send("ask")
    read({ ...same, expiresAt: clock.now() + 5_000 })
    expect(state()).toBe("live")
  })

  it("that was kept from before is cached, until its time is over or it is read", () => {
    const { state, send, read, clock } = start()
    send("ask")
    read({ cached: true, expiresAt: 5_000 })
    expect(state()).toBe("cached")
    clock.increment(5_000)
    expect(state()).toBe("stale")
    send(overheard({ cached: true, expiresAt: 9_000 }))
    expect(state()).toBe("cached")
    send(overheard())
    expect(state()).toBe("live")
  })

  it("that nobody waits for any more is what it was before", () => {
    const list = start()
    list.send("ask", "gaveUp")
    expect([list.state(), list.stopped.length]).toEqual(["unknown", 1])
    list.send("ask")
    list.read()
    list.send("ask", "gaveUp")
    expect([list.state(), list.stopped.length]).toEqual(["live", 3])
    list.send("changed", "ask", "gaveUp")
    expect(list.state()).toBe("stale")
    list.send("follow", "gaveUp")
    expect(list.state()).toBe("refreshing")
  })
})

describe("a list that is followed", () => {
  it("is read at once, and again when the server says that it has changed", () => {
    const { state, send, read, walks } = start()
    send("follow")
    expect(state()).toBe("fetching")
    read()
    send("changed")
    expect(state()).toBe("refreshing")
    read()
    expect(walks).toEqual([0, 0])
    send("leave", "changed")
    expect(state()).toBe("stale")
  })

  it("C017 reads once more for everything that comes soon after a reading", () => {
    const { state, send, read, walks, clock } = followed()
    send("changed")
    read()
    for (let notice = 0; notice < 199; notice++) send("changed")
    expect(state()).toBe("stale")
    clock.increment(499)
    expect(walks).toHaveLength(2)
    clock.increment(1)
    read()
    clock.increment(60_000)
    expect(walks).toEqual([0, 0, 500])
    expect(state()).toBe("live")
  })

  it("C016 gives the server credit again after some calm", () => {
    const { send, read, walks, clock } = followed()
    send("changed")
    for (let round = 0; round < 3; round++) {
      read(same)
      send("changed")
      const before = walks.length
      while (walks.length === before) clock.increment(500)
    }
    expect(walks).toEqual([0, 0, 1_000, 3_000, 7_000])
    read(same)
    clock.increment(15_999)
    send("changed")
    expect(walks.at(-1)).toBe(22_999)
    read(same)
    send("changed")
    clock.increment(16_000)
    expect(walks.at(-1)).toBe(38_999)
    read(same)
    clock.increment(70_000)
    send("changed")
    read(same)
    send("changed")
    clock.increment(1_000)
    expect(walks.slice(-2)).toEqual([108_999, 109_999])
  })

  it("C016 a change resets the pauses", () => {
    const { send, read, walks, clock, churn } = followed()
    send("changed")
    for (let round = 0; round < 4; round++) {
      read(same)
      send("changed")
      const before = walks.length
      while (walks.length === before) clock.increment(500)
    }
    expect(walks).toEqual([0, 0, 1_000, 3_000, 7_000, 15_000])
    expect(churn()).toBe(1)
    read()
    send("changed")
    clock.increment(500)
    expect(walks.at(-1)).toBe(15_500)
  })

  it.each([1, 2, 3])(
    "C016 %i pages, each called changed while it is read, cost at most 6 requests in 10 s",
    (count) => {
      const { send, pages, tell, walks, clock, context, churn } = start()
      let requests = 0
      const walk = (): void => {
        for (let generation = 0; generation < 2; generation++) pages(1, generation)
        pages(count, 2)
        requests += count + 2
        tell({ ...whole, requests: count + 2, news: walks.length === 1, outdated: true })
      }
      send("follow")
      walk()
      while (clock.now() < 10_000) {
        const before = walks.length
        clock.increment(100)
        if (walks.length > before) walk()
      }
      expect(requests).toBeLessThanOrEqual(6)
      expect(context().doubt).toBe("changed")
      expect(churn()).toBe(1)
      while (clock.now() < 40_000) {
        const before = walks.length
        clock.increment(100)
        if (walks.length > before) walk()
      }
      expect(walks.length).toBeGreaterThan(1)
    },
  )

  it("tries again with growing pauses when it cannot be read, and shows the last one meanwhile", () => {
    const { state, send, tell, walks, clock, read, context } = followed()
    send("changed")
    for (let failure = 0; failure < 4; failure++) {
      tell(failed)
      expect([state(), context().doubt]).toEqual(["stale", "failed"])
      const before = walks.length
      while (walks.length === before) clock.increment(500)
    }
    expect(walks).toEqual([0, 0, 1_000, 3_000, 7_000, 15_000])
    read()
    expect(state()).toBe("live")
    send("changed")
    expect(walks.at(-1)).toBe(15_000)
  })

  it("V26-CACHE-05 is unavailable until something was read", () => {
    const { state, send, tell, clock, read } = start()
    send("follow")
    tell(failed)
    expect(state()).toBe("unavailable")
    send("leave")
    clock.increment(60_000)
    expect(state()).toBe("unavailable")
    send("follow")
    expect(state()).toBe("fetching")
    tell(failed)
    clock.increment(1_999)
    expect(state()).toBe("unavailable")
    clock.increment(1)
    read()
    expect(state()).toBe("live")
  })

  it("C008 is not asked for again where the server does not know the method, until it says that it has changed", () => {
    const { state, send, tell, clock, walks } = start()
    send("follow")
    tell(refused)
    clock.increment(3_600_000)
    expect([state(), walks.length]).toEqual(["unavailable", 1])
    send("changed")
    expect(state()).toBe("fetching")
    tell(whole)
    send("ask")
    tell(refused)
    clock.increment(3_600_000)
    expect([state(), walks.length]).toEqual(["stale", 3])
  })

  it("that ends early is partial: after an error it is tried again, after a guard it is not", () => {
    const { state, send, read, clock, walks } = start()
    send("follow")
    read({ whole: false, failed: true })
    expect(state()).toBe("partial")
    clock.increment(1_000)
    expect(state()).toBe("refreshing")
    read({ whole: false })
    clock.increment(60_000)
    expect([state(), walks.length]).toEqual(["partial", 2])
    send("changed")
    expect(state()).toBe("refreshing")
  })
})

describe("those who follow a list", () => {
  it("may come and go while it is read", () => {
    const { state, send, read, context } = start()
    send("ask", "follow")
    expect(state()).toBe("fetching")
    read()
    send("ask", "follow", "leave")
    expect([state(), context().followers]).toEqual(["refreshing", 1])
    read()
    send("leave", "changed")
    expect(state()).toBe("stale")
  })
})

describe("a list and its connection", () => {
  it("C019 C118 is stale after a loss, and read again before it is live", () => {
    const { state, send, read, clock, walks, context } = followed()
    send("lost")
    expect([state(), context().doubt]).toEqual(["stale", "lost"])
    send("changed")
    clock.increment(60_000)
    expect(walks).toHaveLength(1)
    send(recovered())
    expect(state()).toBe("refreshing")
    read(same)
    expect(state()).toBe("live")
  })

  it("C019 is read again for nobody in particular, but only if it was read before", () => {
    const { state, send, read } = start()
    send("lost", recovered())
    expect(state()).toBe("unknown")
    send("ask")
    read()
    send("lost", recovered())
    expect(state()).toBe("refreshing")
    send("gaveUp")
    expect(state()).toBe("refreshing")
    read()
    expect(state()).toBe("live")
  })

  it("a walk that spans a loss goes on by itself, and the list it is to replace is stale meanwhile", () => {
    const { state, send, read, walks, context } = start()
    send("ask", "lost", recovered(), "changed")
    read()
    send("ask")
    expect(context().doubt).toBe(undefined)
    send("lost")
    expect(context().doubt).toBe("lost")
    send(recovered(), "changed")
    read()
    expect([state(), walks.length]).toEqual(["live", 2])
  })

  it("a walk that was under way when the server was heard again is followed by another", () => {
    for (const before of [[], ["missed"]] as const) {
      const { state, send, read, walks } = start()
      send(...before, "ask", "heardAgain")
      read()
      expect([state(), walks.length]).toEqual(["refreshing", 2])
      send("heardAgain")
      read()
      read()
      expect([state(), walks.length]).toEqual(["live", 3])
    }
  })

  it("is read only when the connection is ready", () => {
    const input = { offered: true, online: false, now: () => 0, random: () => 0 }
    const machine = listingMachine.provide({ actors: { walk: fromCallback(() => {}) } })
    const early = createActor(machine, { input }).start()
    early.send({ type: "follow" })
    expect(early.getSnapshot().value).toBe("unknown")
    early.send(recovered())
    expect(early.getSnapshot().value).toBe("fetching")
    early.stop()
  })

  it("V26-SUB-11 what may have been missed is read again when the server is heard again", () => {
    const { state, send, read, clock, walks, context } = followed()
    send("missed", "missed")
    clock.increment(60_000)
    expect([state(), walks.length]).toEqual(["stale", 1])
    send("heardAgain")
    expect(state()).toBe("refreshing")
    send("missed")
    read()
    expect([state(), context().doubt]).toEqual(["stale", "missed"])
    const other = start()
    other.send("ask", "missed")
    other.read()
    expect(other.state()).toBe("stale")
    other.send("missed", "heardAgain")
    expect(other.state()).toBe("refreshing")
  })

  it("is unsupported where the server does not offer it, now or after it was renewed", () => {
    const { state, send, read, tell, context } = start({}, false)
    expect(state()).toBe("unsupported")
    send("follow", "changed", "lost", recovered())
    expect(state()).toBe("fetching")
    read()
    send("lost", recovered(false))
    expect([state(), context().held]).toEqual(["unsupported", "nothing"])
    send(recovered())
    expect(state()).toBe("fetching")
    send(recovered(false))
    tell(failed)
    expect(state()).toBe("unsupported")
  })

  it("what somebody reads beside it counts, unless it is reading itself", () => {
    const { state, send, read, context } = start()
    send(overheard())
    expect(state()).toBe("live")
    send("ask", overheard({ whole: false }))
    expect([state(), context().held]).toEqual(["refreshing", "whole"])
    read()
    const other = start()
    other.send("ask", overheard())
    expect(other.state()).toBe("fetching")
    other.read()
    expect(other.state()).toBe("live")
  })

  it.each(["unknown", "fetching", "live", "refreshing"])("ends with the connection: %s", (when) => {
    const { actor, state, send, read, stopped } = start()
    if (when !== "unknown") send("ask")
    if (when === "live" || when === "refreshing") read()
    if (when === "refreshing") send("ask")
    expect(state()).toBe(when)
    const before = stopped.length
    send("end")
    expect(state()).toBe("ended")
    expect(stopped.length - before).toBe(when === "fetching" || when === "refreshing" ? 1 : 0)
    expect(actor.getSnapshot().output).toEqual({
      held: when === "live" || when === "refreshing" ? "whole" : "nothing",
    })
  })

  it("an actor that was not provided breaks the chart at once, and says which one it was", async () => {
    const actor = createActor(listingMachine, {
      input: { offered: true, now: () => 0, random: () => 0 },
    })
    const error = new Promise((resolve) => actor.subscribe({ error: resolve }))
    actor.start()
    actor.send({ type: "ask" })
    expect(await error).toMatchObject({ message: expect.stringContaining('"walk"') })
  })

  it("bounds what a list may cost by default", () => {
    expect(defaultListing).toMatchObject({ maxRequests: 6, windowMs: 15_000 })
  })

  it("every transition was taken by a running chart", () => {
    expect(taken.missing(listingMachine)).toEqual([])
  })
})
