/** Why a schema is not used, and where: a JSON pointer into it. Thrown where a walk over it has to end. */
export class UnusableSchema extends Error {
  readonly pointer: string

  constructor(pointer: string, reason: string) {
    super(reason)
    this.pointer = pointer
  }
}
