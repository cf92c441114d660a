import { describe, expect, it } from "vitest"
import { misbehaviourGroups, scenesOf, type Misbehaviour, type Scene } from "@entente/testkit/node"
import { meetHere } from "../faults/meet.mjs"
import { runCell } from "../faults/run-cell.mjs"

/** Some of each group, quick to meet; `pnpm faults --check` goes through all of them. */
const chosen: Readonly<Record<string, ReadonlyArray<string>>> = {
  handshake: ["version-gate", "pings-before-ready", "initialize-fails"],
  eras: ["version-refused-32022", "probe-400-text", "exits-on-unknown-first-message"],
  pagination: ["same-cursor-forever", "empty-cursor-forever", "second-page-fails"],
  lists: ["bad-input-schema", "null-title", "unadvertised-tools"],
  envelopes: ["id-as-string", "answered-twice", "ping-with-id-zero"],
  delays: ["slow-first-byte"],
  sizes: ["gzip-bomb", "notification-flood"],
  sessions: ["session-404", "session-404-on-call", "illegal-session-id"],
  listening: ["get-405", "get-hangs"],
  streams: ["stream-cut-without-id", "stream-cut-then-resumed", "sse-mixed-line-ends"],
  statuses: ["gateway-page", "redirect-301", "html-page"],
  headers: ["doubled-content-type", "html-called-json"],
  framing: ["banner-on-stdout", "split-character"],
  processes: ["exits-with-stderr", "dies-mid-call"],
  "HTTP+SSE": ["sse-prefix-lost", "sse-stream-cut"],
  WebSocket: ["ws-split-character", "ws-1011-mid-call"],
}

const firstScene = (misbehaviour: Misbehaviour): Scene => {
  const [scene] = scenesOf(misbehaviour)
  if (scene === undefined) throw new Error(`${misbehaviour.name} is played nowhere`)
  return scene
}

describe.each(Object.entries(misbehaviourGroups))("the client and %s", (group, misbehaviours) => {
  const met = misbehaviours.filter(({ name }) => chosen[group]?.includes(name))

  it.each(met.map((one) => [one.name, one.ids.join(" "), one] as const))(
    "%s (%s) ends as the catalogue says",
    async (_, __, misbehaviour) => {
      const { verdict, missing } = await runCell(
        misbehaviour,
        firstScene(misbehaviour),
        "entente",
        (task) => meetHere("entente", task),
      )
      expect({ verdict, missing }).toEqual({ verdict: "met", missing: [] })
    },
  )

  it("are among those that are met here", () => {
    expect(met.map(({ name }) => name).toSorted()).toEqual([...(chosen[group] ?? [])].toSorted())
    expect(met).not.toEqual([])
  })
})
