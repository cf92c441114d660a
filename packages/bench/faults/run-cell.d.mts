import type { Misbehaviour, MisbehaviourTarget, Scene } from "@entente/testkit/node"

/** What a client is to do, and where. */
export interface Task {
  readonly target: MisbehaviourTarget
  readonly scene: Scene
  readonly attempt: Misbehaviour["try"]
  readonly again: boolean
  readonly alsoCall: boolean
}

export interface Cell {
  readonly verdict: "met" | "silent" | "missed" | "unmet"
  /** What is lacking, in words. */
  readonly missing: ReadonlyArray<string>
}

export declare const runCell: (
  misbehaviour: Misbehaviour,
  scene: Scene,
  clientName: string,
  meet: (task: Task) => Promise<object>,
) => Promise<Cell>
