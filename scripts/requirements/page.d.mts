import type { Judged } from "./types.d.mts"

export declare const pageText: (
  judged: ReadonlyArray<Judged>,
  areas: Readonly<Record<string, string>>,
) => string
