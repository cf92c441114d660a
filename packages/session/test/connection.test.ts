import {
  AuthorizationRequired,
  explain,
  HandshakeFailed,
  type EntenteError,
} from "@entente/protocol"
import { describe, expect, it } from "vitest"
import {
  createActor,
  fromPromise,
  SimulatedClock,
  toPromise,
  waitFor,
  type SnapshotFrom,
} from "xstate"
import {
  capabilitiesOf,
  connectionMachine,
  negotiationMachine,
  type Answer,
  type ConnectionInput,
  type NegotiationInput,
  type Opened,
  type ProbeInput,
} from "../src/index.js"
import * as answers from "./support/answers.js"
import { legacyAgreement } from "./support/agreements.js"

const negotiation: NegotiationInput = {
  dialect: "stream",
  mode: "modern",
  target: answers.target,
  now: () => Date.UTC(2026, 7, 2),
}

/** A connection whose server answers `server/discover` as scripted, through the real negotiation chart. */
const start = (
  input: Partial<ConnectionInput>,
  probes: ReadonlyArray<Answer>,
  openings: ReadonlyArray<Opened> = [],
) => {
  const clock = new SimulatedClock()
  const log: Array<string> = []
  const left = { probes: [...probes], openings: [...openings] }
  const machine = connectionMachine.provide({
    actors: {
      open: fromPromise<Opened, { readonly attempt: number }>(async ({ input: { attempt } }) => {
        log.push(`open ${attempt}`)
        return left.openings.shift() ?? { ok: true }
      }),
      negotiate: negotiationMachine.provide({
        actors: {
          probe: fromPromise<Answer, ProbeInput>(async () => {
            log.push("probe")
            return left.probes.shift() ?? answers.discovered("2026-07-28")
          }),
        },
      }),
      close: fromPromise<unknown, undefined>(async () => log.push("close")),
    },
  })
  const actor = createActor(machine, {
    clock,
    input: { negotiation, random: () => 0, ...input },
  })
  actor.start()
  const reaches = (state: Parameters<SnapshotFrom<typeof connectionMachine>["matches"]>[0]) =>
    waitFor(actor, (snapshot) => snapshot.matches(state))
  return { actor, clock, log, reaches }
}

const lost = (restart = true, error: EntenteError = answers.processExited) =>
  ({ type: "channelLost", error, restart }) as const

describe("a connection", () => {
  it("is ready with era, revision and capabilities, and closes when it is told to", async () => {
    const { actor, log, reaches } = start({}, [])
    actor.send({ type: "open" })
    const { context } = await reaches({ ready: "modern" })
    expect(context.agreement).toMatchObject({ era: "modern", revision: "2026-07-28" })
    expect(context.agreement && capabilitiesOf(context.agreement)).toEqual({ tools: {} })
    actor.send({ type: "close" })
    expect(await toPromise(actor)).toEqual({ _tag: "Closed" })
    expect(log).toEqual(["open 0", "probe", "close"])
  })

  it("that was never opened closes without a word", async () => {
    const { actor, log } = start({}, [])
    actor.send({ type: "close" })
    expect(await toPromise(actor)).toEqual({ _tag: "Closed" })
    expect(log).toEqual([])
  })

  it("that cannot be opened fails at once, with the cause", async () => {
    const { actor, log } = start({}, [], [{ ok: false, error: answers.unreachable }])
    actor.send({ type: "open" })
    const outcome = await toPromise(actor)
    expect(outcome).toMatchObject({
      _tag: "Failed",
      error: { _tag: "Unreachable", code: "unreachable" },
      attempts: [{ what: "open", outcome: answers.unreachable.message }],
    })
    expect(log).toEqual(["open 0", "close"])
  })

  it("that is refused fails with the attempts of the negotiation, and its channel is given back", async () => {
    const { actor, log } = start({}, [answers.rpcError(-32601, "unknown")])
    actor.send({ type: "open" })
    const outcome = await toPromise(actor)
    expect(outcome).toMatchObject({
      _tag: "Failed",
      error: { _tag: "HandshakeFailed", cause: { _tag: "PeerError", rpcCode: -32601 } },
      attempts: [{ what: "server/discover" }],
    })
    expect(log).toEqual(["open 0", "probe", "close"])
  })
})

describe("a connection that is lost", () => {
  it("C118 leaves ready at once, and is ready again after a pause", async () => {
    const { actor, clock, log, reaches } = start({}, [])
    actor.send({ type: "open" })
    await reaches({ ready: "modern" })
    actor.send(lost())
    const { context } = actor.getSnapshot()
    expect(actor.getSnapshot().value).toEqual({ recovering: "backingOff" })
    expect(context.agreement).toBeUndefined()
    expect(context.first).toBe(answers.processExited)
    clock.increment(499)
    expect(actor.getSnapshot().matches({ recovering: "backingOff" })).toBe(true)
    clock.increment(1)
    await reaches({ ready: "modern" })
    // A DiscoverResult describes the process that gave it, so the new one is asked again.
    expect(log).toEqual(["open 0", "probe", "open 1", "probe"])
  })

  it("C118 close starts no reconnect", async () => {
    const { actor, clock, log, reaches } = start({}, [])
    actor.send({ type: "open" })
    await reaches({ ready: "modern" })
    actor.send(lost())
    actor.send({ type: "close" })
    clock.increment(60_000)
    expect(await toPromise(actor)).toEqual({ _tag: "Closed" })
    expect(log).toEqual(["open 0", "probe", "close"])
  })

  it("backs off twice as long each time, at most five times, and fails with the first cause", async () => {
    const fails = { ok: false, error: answers.unreachable } as const
    const { actor, clock, log, reaches } = start(
      {},
      [],
      [{ ok: true }, ...Array.from({ length: 5 }, () => fails)],
    )
    actor.send({ type: "open" })
    await reaches({ ready: "modern" })
    actor.send(lost())
    for (const pause of [500, 1_000, 2_000, 4_000, 8_000]) {
      await reaches({ recovering: "backingOff" })
      clock.increment(pause - 1)
      expect(actor.getSnapshot().matches({ recovering: "backingOff" })).toBe(true)
      clock.increment(1)
      expect(actor.getSnapshot().matches({ recovering: "reopening" })).toBe(true)
      await waitFor(actor, (snapshot) => !snapshot.matches({ recovering: "reopening" }))
    }
    const outcome = await toPromise(actor)
    expect(outcome).toMatchObject({
      _tag: "Failed",
      error: { _tag: "ProcessExited", process: { exitCode: 1, stderr: "boom" } },
      attempts: [{ what: "channel" }, ...Array.from({ length: 5 }, () => ({ what: "open" }))],
    })
    expect(log).toEqual([
      "open 0",
      "probe",
      "open 1",
      "open 2",
      "open 3",
      "open 4",
      "open 5",
      "close",
    ])
  })

  it("chance shortens a pause, by a half at most", async () => {
    const { actor, clock, reaches } = start({ random: () => 0.999 }, [])
    actor.send({ type: "open" })
    await reaches({ ready: "modern" })
    actor.send(lost())
    clock.increment(250)
    expect(actor.getSnapshot().matches({ recovering: "backingOff" })).toBe(true)
    clock.increment(1)
    expect(actor.getSnapshot().matches({ recovering: "reopening" })).toBe(true)
  })

  it.each([
    ["the policy is never", { reconnect: "never" }, lost()],
    ["opening it again cannot help", {}, lost(false)],
  ] as const)("is given up when %s", async (_, input, event) => {
    const { actor, log, reaches } = start(input, [])
    actor.send({ type: "open" })
    await reaches({ ready: "modern" })
    actor.send(event)
    expect(await toPromise(actor)).toMatchObject({
      _tag: "Failed",
      error: { _tag: "ProcessExited" },
      attempts: [{ what: "channel" }],
    })
    expect(log).toEqual(["open 0", "probe", "close"])
  })

  it("V26-STDIO-09 one that ends after every handshake is not restarted for ever", async () => {
    const { actor, clock, log, reaches } = start({ reconnect: { maxAttempts: 2 } }, [])
    actor.send({ type: "open" })
    for (let round = 0; round < 3; round++) {
      await reaches({ ready: "modern" })
      actor.send(lost())
      clock.increment(5_000)
    }
    expect(await toPromise(actor)).toMatchObject({ _tag: "Failed", attempts: { length: 3 } })
    expect(log.filter((entry) => entry.startsWith("open"))).toEqual(["open 0", "open 1", "open 2"])
  })

  it("one that was steady for a while begins to count anew", async () => {
    const { actor, clock, reaches } = start({ reconnect: { maxAttempts: 1 } }, [])
    actor.send({ type: "open" })
    for (let round = 0; round < 3; round++) {
      await reaches({ ready: "modern" })
      clock.increment(30_000)
      expect(actor.getSnapshot().context).toMatchObject({ recoveries: 0, attempts: [] })
      actor.send(lost())
      clock.increment(500)
    }
    await reaches({ ready: "modern" })
  })

  it("what cannot pass ends the recovery, with the loss as its cause", async () => {
    const { actor, clock, reaches } = start({}, [
      answers.discovered("2026-07-28"),
      answers.unauthorized,
    ])
    actor.send({ type: "open" })
    await reaches({ ready: "modern" })
    actor.send(lost())
    clock.increment(500)
    const outcome = await toPromise(actor)
    expect(outcome).toMatchObject({
      _tag: "Failed",
      error: { _tag: "AuthorizationRequired", cause: answers.processExited },
      attempts: [{ what: "channel" }, { what: "server/discover" }],
    })
    expect(outcome._tag === "Failed" && outcome.error).toBeInstanceOf(AuthorizationRequired)
  })
})

describe("a channel that ends while a version is negotiated", () => {
  const gone = answers.exited

  it("is told by the negotiation, and not taken for a second loss", async () => {
    const { actor, log, reaches } = start({ negotiation: { ...negotiation, mode: "auto" } }, [gone])
    actor.send({ type: "open" })
    await reaches("negotiating")
    actor.send(lost())
    // `reopen` is not provided here, which is loud: the chart breaks.
    const broken = new Promise((resolve) => actor.subscribe({ error: resolve }))
    expect(await broken).toMatchObject({ message: expect.stringContaining('"reopen"') })
    expect(log).toEqual(["open 0", "probe"])
  })

  it("after the agreement it was made for, it is a loss like any other", async () => {
    const { actor, clock, log, reaches } = start({}, [])
    actor.send({ type: "open" })
    await reaches("negotiating")
    actor.send(lost())
    await reaches({ recovering: "backingOff" })
    clock.increment(500)
    await reaches({ ready: "modern" })
    expect(log).toEqual(["open 0", "probe", "open 1", "probe"])
  })
})

describe("a channel that is lost for good while a recovery negotiates", () => {
  const recover = async () => {
    const run = start({}, [answers.discovered("2026-07-28"), answers.exited])
    run.actor.send({ type: "open" })
    await run.reaches({ ready: "modern" })
    run.actor.send(lost())
    return run
  }
  const failed = {
    _tag: "Failed",
    error: { _tag: "ProcessExited" },
    attempts: [{ what: "channel" }, { what: "server/discover" }],
  }

  it("ends the recovery when the loss is known before the negotiation tells of it", async () => {
    const { actor, clock } = await recover()
    clock.increment(500)
    expect(actor.getSnapshot().matches({ recovering: "reopening" })).toBe(true)
    actor.send(lost(false))
    expect(await toPromise(actor)).toMatchObject(failed)
  })

  it("ends the recovery when the loss is known only afterwards", async () => {
    const { actor, clock, reaches } = await recover()
    clock.increment(500)
    await reaches({ recovering: "backingOff" })
    actor.send(lost())
    expect(actor.getSnapshot().matches({ recovering: "backingOff" })).toBe(true)
    actor.send(lost(false))
    expect(await toPromise(actor)).toMatchObject(failed)
  })
})

describe("a verdict that reality contradicts", () => {
  const contradicted = {
    type: "verdictContradicted",
    attempt: { what: "tools/list", outcome: "HTTP 404" },
    error: answers.unreachable,
  } as const

  it("V26-ERA-12 is renewed by one negotiation on the same channel, once", async () => {
    const prior = {
      era: "modern",
      revision: "2026-07-28",
      evidence: "seen",
      at: "2026-08-01T00:00:00.000Z",
      quirks: [],
      discover: answers.discoverResult("2026-07-28"),
    } as const
    const { actor, log, reaches } = start({ negotiation: { ...negotiation, prior } }, [])
    actor.send({ type: "open" })
    await reaches({ ready: "modern" })
    expect(log).toEqual(["open 0"])
    actor.send(contradicted)
    expect(actor.getSnapshot().value).toEqual({ recovering: "renegotiating" })
    const { context } = await reaches({ ready: "modern" })
    expect(context.agreement?.notes).toMatchObject([{ code: "verdict-renewed" }])
    expect(log).toEqual(["open 0", "probe"])
    actor.send(contradicted)
    expect(actor.getSnapshot().value).toEqual({ ready: "modern" })
  })
})

describe("a session that expires", () => {
  const ready = async () => {
    const run = start({}, [])
    run.actor.send({ type: "open" })
    await run.reaches({ ready: "modern" })
    return run
  }

  it("concerns no modern connection", async () => {
    const { actor } = await ready()
    actor.send({ type: "sessionExpired" })
    actor.send({ type: "sessionDead", error: answers.unreachable })
    actor.send({ type: "sessionRenewed", agreement: legacyAgreement("S2") })
    expect(actor.getSnapshot().value).toEqual({ ready: "modern" })
  })
})

describe("failure and close", () => {
  it("a close while a failure is being cleaned up still counts as wanted", async () => {
    let closed: () => void = () => {}
    const machine = connectionMachine.provide({
      actors: {
        open: fromPromise<Opened, { readonly attempt: number }>(async () => ({
          ok: false,
          error: new HandshakeFailed(explain("handshake-refused", "open", "demo", "No.")),
        })),
        close: fromPromise<unknown, undefined>(
          () => new Promise<void>((resolve) => (closed = resolve)),
        ),
      },
    })
    const actor = createActor(machine, { input: { negotiation, random: () => 0 } })
    actor.start()
    actor.send({ type: "open" })
    await waitFor(actor, ({ value }) => value === "closing")
    actor.send({ type: "close" })
    closed()
    expect(await toPromise(actor)).toEqual({ _tag: "Closed" })
  })
})
