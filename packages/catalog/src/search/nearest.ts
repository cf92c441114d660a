import { editDistance } from "@entente/protocol"

/** Texts longer than this are compared by their beginning. */
const longest = 96

/** Candidates beyond this many are not looked at: an error need not be dear. */
const most = 10_000

const folded = (text: string): string => text.slice(0, longest).toLowerCase()

/** Up to three of some texts that another one may have been meant as, the likeliest first. */
export const nearest = (meant: string, candidates: Iterable<string>): ReadonlyArray<string> => {
  const asked = folded(meant)
  const limit = Math.max(3, Math.ceil(asked.length / 3))
  const near: Array<{ readonly candidate: string; readonly edits: number }> = []
  let looked = 0
  for (const candidate of candidates) {
    if (looked++ === most) break
    const edits = editDistance(asked, folded(candidate), limit)
    if (edits < limit) near.push({ candidate, edits })
  }
  return near
    .toSorted((one, other) => one.edits - other.edits)
    .slice(0, 3)
    .map(({ candidate }) => candidate)
}
