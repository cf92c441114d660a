import type { Found, Judged, Requirement, Tally } from "./types.d.mts"

interface Exceptions {
  readonly evidence: ReadonlyMap<string, Found>
  readonly excuses: ReadonlyMap<string, string>
  readonly later: ReadonlyMap<string, string>
}

export declare const judge: (
  given: Exceptions & { readonly requirements: ReadonlyArray<Requirement> },
) => ReadonlyArray<Judged>
export declare const mistakes: (
  given: Exceptions & { readonly judged: ReadonlyArray<Judged> },
) => ReadonlyArray<string>
export declare const tally: (judged: ReadonlyArray<Judged>) => Tally
export declare const tallyLine: (counts: Tally) => string
