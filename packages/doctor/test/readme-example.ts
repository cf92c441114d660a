// The example of the README, word for word; `readme.test.ts` compares and runs it.
// #region example
import { diagnose, examine, markdownReport } from "@entente/doctor"
import { http } from "@entente/transport"

/** Why a server shows no tools, and the same as text for an issue. */
export const why = async (url: string) => {
  const { trace, diagnosis } = await examine({ transport: () => http(url) })
  const [likeliest] = diagnosis.hypotheses
  return {
    verdict: diagnosis.verdict,
    code: likeliest?.code,
    change: likeliest?.fix.server,
    text: markdownReport([{ name: url, diagnosis, trace }]),
    // The trace alone says the same, on another day and on another machine.
    again: diagnose(trace),
  }
}
// #endregion
