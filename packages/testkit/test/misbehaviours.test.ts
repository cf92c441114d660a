import { describe, expect, it, vi } from "vitest"
import {
  misbehaviourGroups,
  misbehaviours,
  scenesOf,
  startMisbehaviour,
  type Misbehaviour,
  type Scene,
} from "../src/node.js"
import { sightings, type Sighting } from "./sightings.js"
import { visit } from "./visit.js"

vi.setConfig({ testTimeout: 90_000 }) // processes and forty megabytes take their time on a busy machine

const sightingOf = ({ name }: Misbehaviour): Sighting => {
  const found = sightings[name] ?? /a sighting for it/
  return found instanceof RegExp ? { seen: found } : found
}

/** Resolves with how long it took to see it. */
const see = async (misbehaviour: Misbehaviour, scene: Scene): Promise<number> => {
  const { seen, takes: _, ...options } = sightingOf(misbehaviour)
  const began = performance.now()
  await using started = await startMisbehaviour(misbehaviour.name, scene)
  const { transcript, leave } = visit(started, options)
  try {
    await transcript.until(seen instanceof RegExp ? seen : (seen[scene.over] ?? seen.else))
    return performance.now() - began
  } finally {
    leave()
  }
}

/**
 * Each medium in its first era, and HTTP in both, save for what is large: what differs between eras is the same over stdio. A process
 * is started only where it may play a part.
 */
const scenesToSee = (group: string, misbehaviour: Misbehaviour): ReadonlyArray<Scene> =>
  scenesOf(misbehaviour).filter(
    ({ over, era }) =>
      (over === "http" && group !== "sizes") ||
      (era === misbehaviour.eras[0] &&
        (over !== "stdio" || !["pagination", "lists", "envelopes"].includes(group))),
  )

describe.concurrent.each(Object.entries(misbehaviourGroups))("%s", (groupName, group) => {
  describe.concurrent.each(group.map((one) => [one.name, one.ids.join(" "), one] as const))(
    "%s (%s)",
    (_, __, one) => {
      it.each(scenesToSee(groupName, one).map((scene) => [scene.over, scene.era, scene] as const))(
        "is what a raw client sees over %s, %s",
        async (_, __, scene) => {
          const { takes = 0 } = sightingOf(one)
          expect(await see(one, scene)).toBeGreaterThan(takes - 5) // timers may be early by a little
        },
      )
    },
  )
})

describe("the catalogue", () => {
  it("is well-formed", () => {
    const names = misbehaviours.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    for (const misbehaviour of misbehaviours) {
      const { name, sentence, outcome, ids } = misbehaviour
      expect(name).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
      for (const text of [sentence, outcome]) expect(text).toMatch(/^[A-Z0-9][^\n]*\.$/)
      for (const id of ids) expect(id).toMatch(/^(V2[56]-[A-Z]+-\d\d|C\d{3})$/)
      expect(ids.length).toBeGreaterThan(0)
      expect(scenesOf(misbehaviour).map(({ over }) => over)).toEqual(
        expect.arrayContaining([...misbehaviour.over]),
      )
    }
  })

  it("has scripts that are data", () => {
    for (const misbehaviour of misbehaviours) {
      for (const scene of scenesOf(misbehaviour)) {
        const script = misbehaviour.script(scene)
        expect(JSON.parse(JSON.stringify(script))).toEqual(script)
      }
    }
  })

  it("can be started in every scene", async () => {
    for (const misbehaviour of misbehaviours) {
      for (const scene of scenesOf(misbehaviour)) {
        await using started = await startMisbehaviour(misbehaviour.name, scene)
        expect(started.target.kind).toBe(scene.over)
      }
    }
  })

  it("has a sighting for every misbehaviour, and for nothing else", () => {
    expect(Object.keys(sightings).toSorted()).toEqual(
      misbehaviours.map(({ name }) => name).toSorted(),
    )
  })
})
