import { fromPromise, type NonReducibleUnknown, type PromiseActorLogic } from "xstate"

/**
 * Stands where I/O will be until the runner gives the real thing with `machine.provide({ actors })`.
 * It rejects, so that a forgotten actor breaks the chart at once and says which one it was.
 */
export const notProvided = <Output, Input extends NonReducibleUnknown = undefined>(
  actor: string,
): PromiseActorLogic<Output, Input> =>
  fromPromise<Output, Input>(() =>
    Promise.reject(new Error(`The actor "${actor}" is not provided: give it with machine.provide`)),
  )
