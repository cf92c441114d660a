/** What else is secret, besides what always is. */
export interface RedactionPolicy {
  /**
   * Names of headers, query parameters, arguments and members whose values are hidden. Case, hyphens,
   * underscores and dots do not matter: `x-tenant`, `X_TENANT` and `xTenant` are one name.
   */
  readonly names?: ReadonlyArray<string>
  /** Characters of one text that are kept; default 65,536. The rest is cut, with a mark that says so. */
  readonly maxTextLength?: number
}

/** What stands where a secret was. It tells neither its length nor whether two secrets are the same. */
export const redacted = "‹redacted›"

/** Characters of one text that are kept, unless the policy says otherwise. */
export const defaultMaxTextLength = 65_536
