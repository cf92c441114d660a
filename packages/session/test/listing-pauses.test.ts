import { describe, expect, it } from "vitest"
import { defaultListing } from "../src/index.js"
import { playFollowed, playListing, same, whole } from "./support/listing-play.js"
import { Taken } from "./support/transitions.js"

const taken = new Taken()
const start = () => playListing(taken)
const followed = () => playFollowed(taken)

describe("the pauses of a list that is followed", () => {
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

  it("C016 are bounded by what may be spent", () => {
    expect(defaultListing).toMatchObject({ maxRequests: 6, windowMs: 15_000 })
  })
})
