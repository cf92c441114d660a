/** A place in a text, both from 1; columns count UTF-16 units. */
export interface Position {
  readonly line: number
  readonly column: number
}

/**
 * A value of a configuration file, whatever its format. Members are kept in a map, so that a name such as
 * `__proto__` is a name like any other.
 */
export type ConfigNode =
  | {
      readonly kind: "object"
      readonly members: ReadonlyMap<string, ConfigNode>
      readonly position: Position | undefined
    }
  | {
      readonly kind: "list"
      readonly items: ReadonlyArray<ConfigNode>
      readonly position: Position | undefined
    }
  | {
      readonly kind: "scalar"
      readonly value: string | number | boolean | null
      readonly position: Position | undefined
    }

/** What is wrong with a text, or what its client would not accept. */
export interface Trouble {
  readonly code:
    | "too-large"
    | "too-deep"
    | "too-many-values"
    | "syntax-error"
    | "comment"
    | "trailing-comma"
    | "duplicate-member"
  readonly pointer: string
  readonly position: Position | undefined
  readonly detail: string
}

/** A text, read. Without a root nothing of it can be used. */
export interface ConfigDocument {
  readonly root: ConfigNode | undefined
  readonly troubles: ReadonlyArray<Trouble>
}

/** Bounds of what is read: nobody writes such a file by hand, but somebody may put one there. */
export const limits = {
  bytes: 4 * 1024 * 1024,
  depth: 100,
  values: 100_000,
} as const

/** A reading that was given up: thrown inside the readers of this folder, and caught by `readDocument`. */
export class GivenUp extends Error {
  readonly trouble: Trouble

  constructor(code: "too-deep" | "too-many-values", pointer: string, position?: Position) {
    super(code)
    const detail =
      code === "too-deep"
        ? `more than ${limits.depth} levels deep`
        : `more than ${limits.values} values`
    this.trouble = { code, pointer, position, detail }
  }
}

/** Counts what is made of a file, and gives up when it is too much. */
export class Budget {
  #values = 0

  spend(depth: number, pointer: string, position?: Position): void {
    if (depth > limits.depth) throw new GivenUp("too-deep", pointer, position)
    this.#values += 1
    if (this.#values > limits.values) throw new GivenUp("too-many-values", pointer, position)
  }
}
