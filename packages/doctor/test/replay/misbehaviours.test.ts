import { describe, expect, it } from "vitest"
import {
  misbehaviourGroups,
  scenesOf,
  startMisbehaviour,
  type MisbehaviourTarget,
} from "@entente/testkit/node"
import { http, httpSse, webSocket, type Transport } from "@entente/transport"
import { stdio } from "@entente/transport/stdio"
import { replayCharts, stepsOf, type ReplayStep } from "@entente/doctor"
import { liveRun } from "./live-run.js"

const wayTo = (target: MisbehaviourTarget): Transport => {
  switch (target.kind) {
    case "stdio":
      return stdio(target)
    case "http":
      return http(target.url)
    case "sse":
      return httpSse(target.url)
    case "ws":
      return webSocket(target.url)
  }
}

const told = (step: ReplayStep) => {
  const message = step.kind === "frame" ? step.frame.message : undefined
  const detail = step.kind === "diverged" ? step.detail : undefined
  return { kind: step.kind, message, detail, status: step.status, states: step.states }
}

/** The first fault of each group with which a client is done by itself. */
const faults = Object.entries(misbehaviourGroups).flatMap(([group, faults]) => {
  const first = faults.find(({ settles }) => settles === "by-itself")
  return first === undefined ? [] : ([[`${group}: ${first.name}`, first]] as const)
})

describe("a replay of a run with a server that misbehaves", () => {
  it.each(faults)("has the states of the live run: %s", async (_, misbehaviour) => {
    const [scene] = scenesOf(misbehaviour)
    await using started = await startMisbehaviour(misbehaviour.name, scene)
    const events = await liveRun(wayTo(started.target), (client) => client.tools.list(), {
      reconnect: { baseMs: 20, maxAttempts: 2 },
    })
    const steps: Array<ReplayStep> = []
    for await (const step of replayCharts(events)) steps.push(step)
    expect(steps.map(told)).toEqual(stepsOf(events).map(told))
  })
})
