/** What a person wants to see, whatever the command. */
export interface Presentation {
  readonly json: boolean
  readonly color: boolean
}
