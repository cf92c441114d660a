import type { Judged } from "./types.d.mts"

export declare const byArea: (judged: ReadonlyArray<Judged>) => Map<string, ReadonlyArray<Judged>>
export declare const tableRows: (
  judged: ReadonlyArray<Judged>,
) => ReadonlyArray<ReadonlyArray<string>>
export declare const tableLines: (judged: ReadonlyArray<Judged>) => ReadonlyArray<string>
export declare const uncoveredLines: (
  judged: ReadonlyArray<Judged>,
  areas: Readonly<Record<string, string>>,
) => ReadonlyArray<string>
