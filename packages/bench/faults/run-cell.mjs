// One cell: a misbehaviour, a client, and what became of them.
import process from "node:process"
import { startMisbehaviour } from "@entente/testkit/node"
import { expectationOf } from "./expectations.mjs"
import { judge } from "./judge.mjs"

const alive = (pid) => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms))

/** Server processes that are still there a moment after the client was closed. */
const leftBehind = async ({ received }) => {
  const pids = received.flatMap(({ pid }) => pid ?? [])
  for (let tries = 0; tries < 20 && pids.some(alive); tries += 1) await pause(50)
  return pids.filter(alive).length
}

/**
 * Lets a client meet a misbehaviour. `meet` gets the target, the scene and what to do there, and resolves
 * with what the client saw.
 */
export const runCell = async (misbehaviour, scene, clientName, meet) => {
  const expectation = expectationOf(misbehaviour, scene)
  const { target, peer, close } = await startMisbehaviour(misbehaviour.name, scene)
  try {
    const observed = await meet({
      target,
      scene,
      attempt: misbehaviour.try,
      again: expectation.some(({ again }) => again === true),
      alsoCall: expectation.some(({ alsoCall }) => alsoCall === true),
    })
    const left = await leftBehind(peer)
    // A copy: closing the peer adds to its journal.
    const seen = { ...observed, received: [...peer.received], left, clientName, scene }
    return { misbehaviour, scene, clientName, seen, ...judge(misbehaviour, expectation, seen) }
  } finally {
    await close()
  }
}
