/**
 * How much of a server's schema is taken in, and how much work one result may cost (V26-SCHEMA-06). What is
 * over a limit is not validated, and a note says so; it is never taken to conform.
 */
export const limits = {
  /** JSON values in a schema, all counted. */
  schemaValues: 20_000,
  /** Characters of a schema, written as JSON. */
  schemaCharacters: 1_000_000,
  /** Levels of nesting in a schema. */
  schemaDepth: 100,
  /** Schemas in a schema; one that a reference names counts again. */
  subschemas: 1_000,
  /** Characters of a `pattern`. */
  patternCharacters: 5_000,
  /** States of the automaton that a `pattern` becomes; `a{100}` has 100. */
  patternStates: 2_000,
  /** JSON values in structured content. */
  contentValues: 1_000_000,
  /** Levels of nesting in structured content. */
  contentDepth: 200,
  /** Steps of one validation: about one for each value and each schema that looks at it. */
  steps: 2_000_000,
} as const
