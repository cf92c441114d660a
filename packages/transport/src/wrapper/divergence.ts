import { explain, ReplayDiverged } from "@entente/protocol"

/** The error of a replay and a client that parted. */
export const diverged = (
  target: string,
  position: number,
  expected: string | undefined,
  came: string,
  why: string,
): ReplayDiverged => {
  const next = expected ?? "the end of the recording"
  const what = `The recording has ${next} next (event ${position}), but the client came with ${came}, which ${why}.`
  return new ReplayDiverged({
    ...explain("replay-diverged", "request", target, what),
    position,
    expected: next,
    came,
  })
}
