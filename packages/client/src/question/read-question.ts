import * as Effect from "effect/Effect"
import { validateTolerantly, type QuestionRefused, type Shape } from "@entente/protocol"
import type { Asking } from "./asking.js"
import { mismatched } from "./refusal.js"

/** The params in the shape that the revision demands, or the refusal of the question. */
export const readParams = <Params>(
  { params = {}, policy, note, ...asked }: Asking,
  shape: Shape<Params>,
): Effect.Effect<Params, QuestionRefused> => {
  const read = validateTolerantly(shape, params, policy)
  if (!read.ok) return Effect.fail(mismatched("invalid-question", asked, read))
  for (const found of read.notes) note(found)
  return Effect.succeed(read.value)
}
