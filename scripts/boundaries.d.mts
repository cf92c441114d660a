/** What `boundaries/table.json` holds. */
export interface BoundaryTable {
  /** Package → packages it may import; `name (folder only)` allows it from one folder. */
  readonly arrows: Readonly<Record<string, ReadonlyArray<string>>>
  readonly browserEntries: ReadonlyArray<string>
  readonly nodeOnly: ReadonlyArray<string>
  readonly barrels: ReadonlyArray<string>
}

export interface Violation {
  readonly file: string
  readonly line: number
  readonly message: string
}

export declare const table: BoundaryTable
export declare const readFiles: () => Map<string, string>
export declare const findViolations: (
  files: ReadonlyMap<string, string>,
  table: BoundaryTable,
) => ReadonlyArray<Violation>
