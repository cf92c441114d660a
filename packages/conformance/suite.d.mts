/** How to start the official suite. */
export interface Suite {
  readonly node: string
  readonly entry: string
}

export declare const findSuite: () => Suite | { readonly missing: string }
