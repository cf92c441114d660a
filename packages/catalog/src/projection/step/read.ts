import { isJsonObject, jsonPointer, type JsonObject, type SchemaPlace } from "@entente/protocol"
import { both } from "../schema/both.js"
import { fits, kindOf } from "../schema/keyword-kind.js"
import { isJsonType } from "../schema/json-type.js"
import { asWritten, referenceStandsAlone, type Written } from "../schema/older-drafts.js"
import { Places } from "../schema/places.js"
import {
  anything,
  Data,
  SchemaNode,
  type Keyword,
  type KeywordValue,
} from "../schema/schema-node.js"
import { Rejected } from "../report.js"
import type { Work } from "../work.js"
import { Definitions } from "./definitions.js"

/** How references are dealt with. */
export interface ReferenceHandling {
  /** Whether references stay, and the schemas they lead to move to `$defs`; otherwise those take their places. */
  readonly kept: boolean
  /** How often a schema may stand inside itself before it is cut. */
  readonly recursionDepth: number
}

/** Schemas inside schemas: all that follows works by recursion. */
const deepest = 100

/** Names of schemas, which nothing refers to any more once references are dealt with. */
const identifiers = ["$id", "$anchor", "$dynamicAnchor", "$recursiveAnchor", "$vocabulary"]
const definitionKeywords = ["$defs", "definitions"]

/** Beside `$ref`, draft-07 ignores everything; what a person wrote there is still worth reading. */
const besideOldReference = ["title", "description", "default"]

/** Characters of texts and values that count as one schema more: each may be repeated where it is referred to. */
const charactersEach = 100

const lengthOf = (value: unknown): number => {
  if (typeof value === "string") return value.length
  return typeof value === "object" ? (JSON.stringify(value)?.length ?? 0) : 0
}

const composed = ["allOf", "anyOf", "oneOf"]

const isReference = ({ keyword }: Written): boolean => kindOf(keyword) === "reference"

/**
 * Reads a server's schema, of any draft, and resolves its references: local ones only, and each in a number of
 * schemas that is bounded (C082). What is not valid is left out.
 */
class Reading {
  readonly #work: Work
  readonly #handling: ReferenceHandling
  readonly #places: Places
  readonly #origin: string
  readonly #alone: boolean
  readonly #definitions = new Definitions()
  #depth = 0
  #isUpgraded = false
  /** How often each schema stands around the one that is being read. */
  readonly #around = new Map<string, number>()

  constructor(schema: JsonObject, origin: string, handling: ReferenceHandling, work: Work) {
    this.#work = work
    this.#handling = handling
    this.#places = new Places(schema)
    this.#origin = origin
    this.#alone = referenceStandsAlone(schema)
  }

  run(): SchemaNode {
    const root = this.#read(this.#places.root, true)
    const members = new Map<string, SchemaNode>()
    for (const { name, place } of this.#definitions) members.set(name, this.#read(place, false))
    if (this.#handling.kept) this.#tellUnused()
    const whole = members.size === 0 ? root : root.with("$defs", members)
    if (!this.#isUpgraded || !whole.has("$schema")) return whole
    const why = "It is 2020-12 here, which needs no name."
    this.#work.report.add("keyword-dropped", whole.pointer("$schema"), why)
    return whole.without("$schema")
  }

  #tellUnused(): void {
    const root = this.#places.root.schema
    if (!isJsonObject(root)) return
    for (const keyword of definitionKeywords) {
      const definitions = root[keyword]
      for (const name of isJsonObject(definitions) ? Object.keys(definitions) : []) {
        const pointer = jsonPointer([keyword, name])
        if (this.#definitions.has(pointer)) continue
        const why = "No reference leads to it as it stands here."
        this.#work.report.add("keyword-dropped", this.#origin + pointer, why)
      }
    }
  }

  /** @param atRoot whether it stands at the root, or is one of the schemas that the root is composed of. */
  #read(place: SchemaPlace, atRoot: boolean): SchemaNode {
    const at = this.#origin + place.pointer
    this.#work.spend(at)
    const { schema } = place
    if (typeof schema === "boolean") return new SchemaNode(at, new Map(), [], schema)
    if (!isJsonObject(schema)) {
      this.#work.report.add(
        "keyword-dropped",
        at,
        "It is no schema; anything is taken in its place.",
      )
      return anything(at)
    }
    if (++this.#depth > deepest) {
      throw new Rejected(at, `stands ${deepest} schemas deep once references are resolved`)
    }
    const rounds = this.#around.get(at) ?? 0
    this.#around.set(at, rounds + 1)
    const base = this.#places.baseWithin(schema, place.base)
    const node = this.#readObject(schema, at, { ...place, base }, atRoot)
    this.#around.set(at, rounds)
    this.#depth--
    return node
  }

  #readObject(schema: JsonObject, at: string, place: SchemaPlace, atRoot: boolean): SchemaNode {
    const entries = asWritten(schema)
    const references = entries.filter(isReference)
    const others = entries.filter((entry) => !isReference(entry))
    const beside =
      references.length > 0 && this.#alone
        ? others.filter(({ keyword }) => besideOldReference.includes(keyword))
        : others
    const node = this.#readKeywords(beside, at, place, atRoot)
    return references.reduce((read, entry) => this.#refer(read, entry, place, atRoot), node)
  }

  #readKeywords(
    entries: ReadonlyArray<Written>,
    at: string,
    place: SchemaPlace,
    atRoot: boolean,
  ): SchemaNode {
    const { report } = this.#work
    const keywords = new Map<string, Keyword>()
    for (const { keyword, value, from } of entries) {
      const pointer = at + jsonPointer([from])
      if (identifiers.includes(keyword)) {
        report.add("keyword-dropped", pointer, "It is a name for references, which need none here.")
      } else if (definitionKeywords.includes(keyword)) {
        if (!this.#handling.kept) {
          report.add("keyword-dropped", pointer, "What it holds stands where it was referred to.")
        }
      } else if (keyword === "__proto__" || !fits(keyword, value)) {
        report.add("keyword-dropped", pointer, `It is not a valid \`${from}\`.`)
      } else {
        const inner = { ...place, pointer: place.pointer + jsonPointer([from]) }
        keywords.set(keyword, { value: this.#value(keyword, value, inner, atRoot), at: pointer })
        if (keyword === from) continue
        this.#isUpgraded = true
        report.add("rewritten", pointer, `In 2020-12 it is \`${keyword}\`.`)
      }
    }
    return new SchemaNode(at, keywords)
  }

  #value(keyword: string, value: unknown, place: SchemaPlace, atRoot: boolean): KeywordValue {
    // The assertions: `fits` has looked at the value.
    switch (kindOf(keyword)) {
      case "schema":
        return this.#read({ ...place, schema: value }, false)
      case "members":
        return this.#members(value as JsonObject, place)
      case "schemas":
        return (value as ReadonlyArray<unknown>).map((schema, index) => {
          const pointer = `${place.pointer}/${index}`
          return this.#read({ ...place, schema, pointer }, atRoot && composed.includes(keyword))
        })
      default:
        this.#work.spend(this.#origin + place.pointer, Math.floor(lengthOf(value) / charactersEach))
        return new Data(value)
    }
  }

  #members(value: JsonObject, { pointer, base }: SchemaPlace): ReadonlyMap<string, SchemaNode> {
    const members = new Map<string, SchemaNode>()
    for (const [name, schema] of Object.entries(value)) {
      const at = pointer + jsonPointer([name])
      if (name === "__proto__") {
        const why = "It has a name to which JavaScript gives a meaning of its own."
        this.#work.report.addNarrowing("keyword-dropped", this.#origin + at, why)
      } else {
        members.set(name, this.#read({ schema, base, pointer: at }, false))
      }
    }
    return members
  }

  /** A schema together with what it refers to. */
  #refer(
    node: SchemaNode,
    { value, from }: Written,
    place: SchemaPlace,
    atRoot: boolean,
  ): SchemaNode {
    const at = node.at + jsonPointer([from])
    const target = typeof value === "string" ? this.#places.resolve(value, place.base) : undefined
    if (target === undefined) {
      throw new Rejected(at, "leads to nothing inside the schema, and nothing is fetched")
    }
    // A root is an object and shows its properties, so nothing stays hidden behind a reference there.
    if (this.#handling.kept && !atRoot) return this.#keep(node, target, value, at)
    const inlined = this.#inline(target, at, atRoot)
    return both(node, inlined, this.#work)
  }

  #keep(node: SchemaNode, target: SchemaPlace, value: unknown, at: string): SchemaNode {
    const { report } = this.#work
    const $ref = `#/$defs/${this.#definitions.nameOf(target)}`
    if ($ref !== value) report.add("rewritten", at, `It leads to ${$ref} now.`)
    const reference = new Map([["$ref", { value: new Data($ref), at }]])
    return both(node, new SchemaNode(node.at, reference), this.#work)
  }

  #inline(target: SchemaPlace, at: string, atRoot: boolean): SchemaNode {
    const { report } = this.#work
    const there = this.#origin + target.pointer
    if ((this.#around.get(there) ?? 0) > this.#handling.recursionDepth) {
      const why = `It leads back into itself, and is cut after ${this.#handling.recursionDepth} rounds.`
      report.add("recursion-cut", at, why)
      return this.#cut(target, there)
    }
    report.add("ref-inlined", at, `What it refers to, ${there}, stands in its place.`)
    return this.#read(target, atRoot)
  }

  /** What takes the place of a schema that is cut: it takes more, and says no more than what kind it is. */
  #cut({ schema }: SchemaPlace, at: string): SchemaNode {
    if (!isJsonObject(schema)) return anything(at)
    const kept = Object.entries(schema).filter(([keyword, value]) =>
      keyword === "type"
        ? isJsonType(value)
        : keyword === "description" && typeof value === "string",
    )
    return new SchemaNode(
      at,
      new Map(
        kept.map(([keyword, value]) => [
          keyword,
          { value: new Data(value), at: at + jsonPointer([keyword]) },
        ]),
      ),
    )
  }
}

/**
 * A server's schema as the steps take it. The schema has to be of a size and depth that was looked at before.
 *
 * @param origin a JSON pointer to the schema, in the server's definition of the tool.
 */
export const read = (
  schema: JsonObject,
  origin: string,
  handling: ReferenceHandling,
  work: Work,
): SchemaNode => new Reading(schema, origin, handling, work).run()
