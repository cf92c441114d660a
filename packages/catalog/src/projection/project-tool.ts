import { isJsonObject, jsonSizeOf, type JsonObject } from "@entente/protocol"
import type { SchemaRules } from "../provider/schema-rules.js"
import type { Settings } from "./options.js"
import type { ReportEntry, ServerTool } from "./projection.js"
import { Rejected, Report } from "./report.js"
import type { SchemaNode } from "./schema/schema-node.js"
import { written } from "./schema/write.js"
import { nameArguments } from "./step/argument-names.js"
import { rewriteArrays } from "./step/arrays.js"
import { rewriteCompositions } from "./step/compositions.js"
import { asOpenApi } from "./step/openapi.js"
import { read } from "./step/read.js"
import { isRecursive } from "./step/recursion.js"
import { foldRoot } from "./step/root.js"
import { excess, measure, type StrictAllowance } from "./step/strict-limits.js"
import { demandClosable, makeStrict, nameTypes } from "./step/strict.js"
import { dropUnknown, keepSubset } from "./step/subset.js"
import { describe, withCleanTexts } from "./step/text.js"
import { rewriteValues } from "./step/values.js"
import { Work } from "./work.js"

/** A tool as a provider gets it, before it has its form. */
export interface ProjectedTool {
  readonly description: string | undefined
  readonly schema: JsonObject
  readonly strict: boolean
  readonly widened: ReadonlyArray<string>
  readonly renamed: ReadonlyMap<string, string>
}

/** What became of one tool; without `projected` it is left out. */
export interface ToolProjection {
  readonly projected?: ProjectedTool
  readonly report: ReadonlyArray<ReportEntry>
}

/** Where the schema of the arguments stands in a tool's definition. */
const origin = "/inputSchema"

/** How much of a server's schema is looked at: as much as of its output schemas (V26-SCHEMA-06). */
const bounds = { values: 20_000, depth: 100 }
const longest = 1_000_000

/** The schema of a tool's arguments, if it is one that can be walked through. */
const schemaOf = ({ tool }: ServerTool): JsonObject => {
  const schema: unknown = tool.inputSchema
  if (!isJsonObject(schema)) throw new Rejected(origin, "is no object")
  const size = jsonSizeOf(schema, bounds)
  if (typeof size === "string") throw new Rejected(origin, size)
  const { length } = JSON.stringify(schema)
  if (length > longest)
    throw new Rejected(origin, `has ${length} characters, and ${longest} are looked at`)
  return schema
}

/** Reads with references kept where the provider takes them, and replaced by what they lead to elsewhere. */
const readFor = (
  schema: JsonObject,
  depth: number,
  make: () => Work,
): readonly [SchemaNode, Work] => {
  const first = make()
  const { references } = first.rules
  const kept = references !== "inlined"
  const node = read(schema, origin, { kept, recursionDepth: depth }, first)
  if (references !== "acyclic" || !isRecursive(node)) return [node, first]
  const second = make()
  return [read(schema, origin, { kept: false, recursionDepth: depth }, second), second]
}

const withProperties = (root: SchemaNode, { rules, report }: Work): SchemaNode => {
  if (root.has("properties") || rules.dialect === "openapi") return root
  report.add("filled", root.pointer("properties"), "Providers want to see that there are none.")
  return root.with("properties", new Map())
}

/** What every conversion does first: one object, and only compositions that the provider knows. */
const composed = (node: SchemaNode, work: Work): SchemaNode =>
  rewriteCompositions(dropUnknown(foldRoot(node, work), work), work)

const reduced = (node: SchemaNode, work: Work) =>
  nameArguments(keepSubset(rewriteValues(rewriteArrays(node, work), work), work), work)

/** The conversion of one tool. */
class Conversion {
  readonly #tool: ServerTool
  readonly #settings: Settings
  readonly #schema: JsonObject

  constructor(tool: ServerTool, settings: Settings) {
    this.#tool = tool
    this.#settings = settings
    this.#schema = schemaOf(tool)
  }

  loose(): ToolProjection {
    const [node, work] = this.#read(this.#settings.rules.schema)
    const { root, renamed } = reduced(composed(node, work), work)
    const converted = work.rules.dialect === "openapi" ? asOpenApi(root, work) : root
    return this.#finish(converted, work, { strict: false, widened: [], renamed })
  }

  /** Throws where the tool cannot be strict. */
  strict(allowance: StrictAllowance): ToolProjection {
    const rules = this.#settings.rules.strict
    if (rules === undefined)
      throw new Rejected(origin, "is for a provider without a strict mode for tools")
    const [node, work] = this.#read(rules.schema)
    const cut = work.report.entries.find(({ kind }) => kind === "recursion-cut")
    if (cut !== undefined) throw new Rejected(cut.pointer, "leads back into itself")
    const closable = composed(node, work)
    demandClosable(closable, work)
    const { root: taken, renamed } = reduced(closable, work)
    const { root, widened } = makeStrict(nameTypes(taken, work), work)
    const measured = measure(root, rules.limits.longEnum)
    const why = excess(measured, rules.limits) ?? allowance.take(measured)
    if (why !== undefined) throw new Rejected(origin, why)
    return this.#finish(root, work, { strict: true, widened, renamed })
  }

  #read(rules: SchemaRules): readonly [SchemaNode, Work] {
    const { recursionDepth, schemas } = this.#settings
    return readFor(
      this.#schema,
      recursionDepth,
      () => new Work(rules, new Report(this.#tool), schemas),
    )
  }

  #finish(
    root: SchemaNode,
    work: Work,
    how: Pick<ProjectedTool, "strict" | "widened" | "renamed">,
  ): ToolProjection {
    const { constraints, rules } = this.#settings
    const options = { constraints, maxLength: rules.description.maxLength }
    const complete = withCleanTexts(withProperties(root, work), options, work.report)
    const description = describe(this.#tool.tool, root.lost, options, work.report)
    return {
      projected: { ...how, description, schema: written(complete) },
      report: work.report.entries,
    }
  }
}

/** Runs a conversion; what it throws to end it becomes an entry, and everything else is a fault of ours. */
const attempt = (
  tool: ServerTool,
  kind: "rejected" | "strict-disabled",
  convert: () => ToolProjection,
): ToolProjection => {
  try {
    return convert()
  } catch (error) {
    if (!(error instanceof Rejected)) throw error
    const report = new Report(tool)
    const outcome = kind === "rejected" ? "left out" : "not strict"
    report.add(kind, error.pointer, `The tool is ${outcome}: what stands here ${error.message}.`)
    return { report: report.entries }
  }
}

/** One tool for one provider: strict if it can be, without if not, and left out if there is no way. */
export const projectTool = (
  tool: ServerTool,
  settings: Settings,
  allowance: StrictAllowance,
): ToolProjection =>
  attempt(tool, "rejected", () => {
    const conversion = new Conversion(tool, settings)
    if (!settings.strict) return conversion.loose()
    const strict = attempt(tool, "strict-disabled", () => conversion.strict(allowance))
    if (strict.projected !== undefined) return strict
    const loose = conversion.loose()
    return { ...loose, report: [...strict.report, ...loose.report] }
  })
