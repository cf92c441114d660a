import { createMachine, type AnyStateMachine } from "xstate"

/** A state as JSON, and as XState takes it. */
interface State {
  type?: "parallel" | "final"
  initial?: string
  entry?: ReadonlyArray<string>
  on?: Record<string, { target: string; guard?: string; actions?: ReadonlyArray<string> }>
  states?: Record<string, State>
}

/** Numbers below a bound, always the same for one seed. */
const dice = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return (state >> 8) % below
  }
}

/** A machine such as nobody would draw: nested up to three levels, arrows from anywhere to anywhere. */
export const randomMachine = (seed: number): AnyStateMachine => {
  const roll = dice(seed)
  const ids: Array<string> = []
  const all: Array<State> = []

  const stateAt = (path: ReadonlyArray<string>): State => {
    const isNested = path.length === 0 || (path.length < 3 && roll(4) === 0)
    const state: State = isNested ? nest(path) : roll(8) === 0 ? { type: "final" } : {}
    all.push(state)
    return state
  }

  const nest = (path: ReadonlyArray<string>): State => {
    const keys = Array.from({ length: 2 + roll(4) }, (_, index) => `s${index}`)
    for (const key of keys) ids.push([...path, key].join("."))
    const states = Object.fromEntries(keys.map((key) => [key, stateAt([...path, key])]))
    if (path.length > 0 && roll(4) === 0) return { type: "parallel", states }
    const entry = roll(2) === 0 ? [] : ["doSomethingLong", "another"]
    return { initial: keys[roll(keys.length)] ?? "s0", states, entry }
  }

  const root = stateAt([])
  for (const state of all.filter(({ type }) => type !== "final")) {
    state.on = Object.fromEntries(
      Array.from({ length: roll(3) }, (_, index) => [
        `event${index}`,
        {
          target: `#random.${ids[roll(ids.length)] ?? "s0"}`,
          ...(roll(2) === 0 ? {} : { guard: "isSomething" }),
          ...(roll(2) === 0 ? {} : { actions: ["act"] }),
        },
      ]),
    )
  }
  return createMachine({ id: "random", ...root } as object) // names only: nothing for the types to infer
}
