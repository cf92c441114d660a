import * as fc from "fast-check"

type Schema = Record<string, unknown>

/** Names of properties: plain ones, ones that look like keywords, and ones that some provider refuses. */
const names = [
  "a",
  "b",
  "c",
  "items",
  "properties",
  "required",
  "enum",
  "filter[id]",
  "$top",
  "ä",
  "x-y",
]
const hostileNames = [
  ...names,
  "__proto__",
  "constructor",
  "",
  "x".repeat(80),
  "$ref",
  "a/b",
  "c~d",
]

const definitions = ["A", "B"]

const scalar = fc.oneof(
  fc.constantFrom("x", "yes", ""),
  fc.integer({ min: -3, max: 3 }),
  fc.boolean(),
  fc.constant(null),
)

const annotated = (schema: fc.Arbitrary<Schema>): fc.Arbitrary<Schema> =>
  fc
    .tuple(
      schema,
      fc.record(
        {
          title: fc.constant("Title"),
          description: fc.constantFrom("Says what it is.", ""),
          default: fc.constantFrom<unknown>({ $ref: "#/no" }, { properties: { items: 1 } }, 5),
          examples: fc.constant([{ const: 1, $ref: "https://h.example/x" }]),
        },
        { requiredKeys: [] },
      ),
      fc.integer({ min: 0, max: 3 }),
    )
    .map(([own, notes, dice]) => (dice === 0 ? { ...own, ...notes } : own))

/** A partial record, each member there one time in three. */
const some = (members: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Schema> =>
  fc
    .tuple(
      fc.record(members),
      fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }),
      fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }),
    )
    .map(([all, one, other]) =>
      Object.fromEntries(Object.entries(all).filter((_, index) => one[index] && other[index])),
    )

const count = fc.integer({ min: 0, max: 3 })
const bound = fc.integer({ min: -2, max: 2 })

const texts = some({
  minLength: count,
  maxLength: count,
  pattern: fc.constantFrom("^[a-z]*$", "^\\d+$", "x|y"),
  format: fc.constantFrom("date-time", "email", "uri", "binary"),
  enum: fc.uniqueArray(fc.constantFrom("x", "yes", "", "no"), { minLength: 1 }),
}).map((more) => ({ type: "string", ...more }))

const numbers = fc
  .tuple(
    fc.constantFrom("number", "integer"),
    some({
      minimum: bound,
      maximum: bound,
      exclusiveMinimum: bound,
      exclusiveMaximum: bound,
      multipleOf: fc.constantFrom(1, 2, 0.5),
      enum: fc.uniqueArray(bound, { minLength: 1 }),
    }),
  )
  .map(([type, more]) => ({ type, ...more }))

const objectsOf = (inner: fc.Arbitrary<unknown>, keys: ReadonlyArray<string>) =>
  fc
    .tuple(
      fc.dictionary(fc.constantFrom(...keys), inner, { maxKeys: 3 }),
      fc.subarray(keys.slice(0, 5), { maxLength: 2 }),
      some({
        additionalProperties: fc.oneof(fc.boolean(), inner),
        patternProperties: fc.dictionary(fc.constantFrom("^a", "b$"), inner, { maxKeys: 1 }),
        propertyNames: fc.constant({ maxLength: 5 }),
        minProperties: fc.integer({ min: 0, max: 1 }),
        maxProperties: fc.integer({ min: 2, max: 4 }),
        dependentRequired: fc.constant({ a: ["b"] }),
        dependentSchemas: fc.dictionary(fc.constantFrom("a", "b"), inner, { maxKeys: 1 }),
        unevaluatedProperties: fc.boolean(),
      }),
      fc.integer({ min: 0, max: 2 }),
    )
    .map(([properties, required, more, dice]) => ({
      type: "object",
      properties,
      ...(dice > 0
        ? {
            required:
              dice > 1 ? required : required.filter((name) => Object.hasOwn(properties, name)),
          }
        : {}),
      ...more,
    }))

const arraysOf = (inner: fc.Arbitrary<unknown>) =>
  some({
    items: inner,
    prefixItems: fc.array(inner, { minLength: 1, maxLength: 2 }),
    contains: inner,
    minContains: fc.integer({ min: 0, max: 1 }),
    unevaluatedItems: fc.boolean(),
    minItems: fc.integer({ min: 0, max: 1 }),
    maxItems: fc.integer({ min: 1, max: 3 }),
    uniqueItems: fc.boolean(),
  }).map(({ contains, minContains, ...more }) => ({
    type: "array",
    ...more,
    // Beside `prefixItems`, ajv lets an empty array contain anything.
    ...(contains === undefined || "prefixItems" in more
      ? {}
      : { contains, minContains: minContains ?? 1 }),
  }))

const branchesOf = (inner: fc.Arbitrary<unknown>) => fc.array(inner, { minLength: 1, maxLength: 3 })

const composedOf = (inner: fc.Arbitrary<unknown>) =>
  fc.oneof(
    fc
      .tuple(fc.constantFrom("anyOf", "oneOf", "allOf"), branchesOf(inner), inner)
      .map(([keyword, branches, beside]) => ({
        ...(typeof beside === "object" && beside !== null ? beside : {}),
        [keyword]: branches,
      })),
    fc
      .tuple(fc.constantFrom("anyOf", "oneOf"), branchesOf(inner))
      .map(([keyword, branches]) => ({ [keyword]: branches })),
    inner.map((not) => ({ not })),
    // oxlint-disable-next-line unicorn/no-thenable -- keywords; nobody awaits them
    fc.tuple(inner, inner, inner).map(([one, two, three]) => ({ if: one, then: two, else: three })),
  )

const references = fc.oneof(
  fc.constantFrom(...definitions).map((name) => ({ $ref: `#/$defs/${name}` })),
  fc
    .constantFrom(...definitions)
    .map((name) => ({ $ref: `#/$defs/${name}`, description: "Beside it." })),
)

/** Any schema of JSON Schema 2020-12 that a server in its right mind could send. */
const schemaOf = (keys: ReadonlyArray<string>, more: ReadonlyArray<fc.Arbitrary<unknown>>) =>
  fc.letrec((tie) => ({
    schema: fc.oneof(
      { maxDepth: 3, depthIdentifier: "schema" },
      texts,
      numbers,
      fc.constantFrom({ type: "boolean" }, { type: "null" }, {}),
      fc.boolean(),
      fc.uniqueArray(scalar, { minLength: 1, maxLength: 3 }).map((values) => ({ enum: values })),
      scalar.map((value) => ({ const: value })),
      fc
        .uniqueArray(fc.constantFrom("string", "integer", "null", "object", "array", "boolean"), {
          minLength: 1,
          maxLength: 3,
        })
        .map((type) => ({ type })),
      references,
      ...more,
      annotated(objectsOf(tie("schema"), keys)),
      annotated(objectsOf(tie("schema"), keys)),
      annotated(arraysOf(tie("schema"))),
      composedOf(tie("schema")),
    ),
  })).schema

const rootOf = (keys: ReadonlyArray<string>, more: ReadonlyArray<fc.Arbitrary<unknown>>) => {
  const inner = schemaOf(keys, more)
  const object = objectsOf(inner, keys)
  return fc
    .tuple(
      object,
      some({
        allOf: branchesOf(object),
        anyOf: branchesOf(object),
        oneOf: branchesOf(object),
        not: inner,
        if: inner,
        $schema: fc.constant("https://json-schema.org/draft/2020-12/schema"),
      }),
      fc.record({ A: inner, B: inner }),
    )
    .map(([own, composed, $defs]): Schema => ({ ...own, ...composed, $defs }))
}

/** The arguments of a tool. References may lead in circles. */
export const argumentSchema: fc.Arbitrary<Schema> = rootOf(names, [])

/** The same with what only a hostile or a broken server sends. */
export const hostileSchema: fc.Arbitrary<Schema> = fc
  .tuple(
    rootOf(hostileNames, [
      fc.jsonValue({ maxDepth: 2 }),
      fc.constantFrom<unknown>(
        { $ref: "#" },
        { $ref: "#/properties/a" },
        { $ref: "#/$defs/A/properties/b" },
        { $ref: "https://h.example/item.json" },
        { $ref: 5 },
        { $dynamicRef: "#node" },
        { $id: "https://h.example/b", $anchor: "node" },
        { type: "strnig" },
        { type: ["string", "string"] },
        { items: [{ type: "string" }], additionalItems: false },
        { properties: [] },
        { required: "a" },
        { exclusiveMinimum: true, minimum: 3 },
        { dependencies: { a: ["b"], b: { type: "object" } } },
        { pattern: "(" },
        { enum: [] },
        { anyOf: {} },
        { description: "a\u{e0041}b\u{202e}c" },
        JSON.parse('{"__proto__":{"type":"string"},"type":"object"}'),
      ),
    ]),
    fc.dictionary(
      fc.constantFrom("type", "properties", "required", "anyOf", "allOf", "$ref", "enum", "x-own"),
      fc.jsonValue({ maxDepth: 2 }),
      { maxKeys: 1 },
    ),
  )
  .map(([schema, broken]) => ({ ...schema, ...broken }))
