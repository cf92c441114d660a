import { project } from "../../src/projection/project.js"
import type { ProjectionOptions } from "../../src/projection/options.js"
import type { Projection, ReportEntry, ServerTool } from "../../src/projection/projection.js"
import type { Format } from "../../src/provider/format.js"
import { providerRules, violations, type Target } from "./provider-rules.js"

export const targets = Object.keys(providerRules) as ReadonlyArray<Target> // its own keys

/** A schema as it goes out, and how. */
export interface Sent {
  readonly name: string
  readonly description: string | undefined
  /** Undefined where there are no arguments (Gemini). */
  readonly schema: unknown
  readonly strict: boolean
}

const sentBy: { readonly [F in Format]: (tools: unknown) => ReadonlyArray<Sent> } = {
  anthropic: (tools) =>
    list(tools).map(({ name, description, input_schema, strict = false }) =>
      sent(name, description, input_schema, strict),
    ),
  openai: (tools) =>
    list(tools).map(({ function: { name, description, parameters, strict } }) =>
      sent(name, description, parameters, strict),
    ),
  "openai-responses": (tools) =>
    list(tools).map(({ name, description, parameters, strict }) =>
      sent(name, description, parameters, strict),
    ),
  gemini: (tools) =>
    list(list(tools)[0]?.functionDeclarations).map(
      ({ name, description, parameters, parametersJsonSchema }) =>
        sent(name, description, parameters ?? parametersJsonSchema, false),
    ),
  bedrock: (tools) =>
    list((tools as Loose).tools).map(({ toolSpec }) =>
      sent(
        toolSpec.name,
        toolSpec.description,
        toolSpec.inputSchema.json,
        toolSpec.strict ?? false,
      ),
    ),
  "ai-sdk": (tools) =>
    Object.entries(tools as Record<string, Loose>).map(
      ([name, { description, inputSchema, strict = false }]) =>
        sent(name, description, inputSchema, strict),
    ),
}

// A test reads what went out as a provider would: with no types to lean on.
// oxlint-disable-next-line typescript/no-explicit-any
type Loose = any
const list = (value: unknown): ReadonlyArray<Loose> => (Array.isArray(value) ? value : [])
const sent = (name: Loose, description: Loose, schema: Loose, strict: Loose): Sent => ({
  name,
  description,
  schema,
  strict,
})

/** Which format and options a target is reached with, and whether it is a strict one. */
export const waysTo: {
  readonly [T in Target]: { readonly format: Format; readonly options: ProjectionOptions }
} = {
  anthropic: { format: "anthropic", options: {} },
  "anthropic strict": { format: "anthropic", options: { strict: true } },
  openai: { format: "openai", options: {} },
  "openai strict": { format: "openai-responses", options: { strict: true } },
  "gemini parameters": { format: "gemini", options: { gemini: { field: "parameters" } } },
  "gemini parametersJsonSchema": {
    format: "gemini",
    options: { gemini: { field: "parametersJsonSchema" } },
  },
  bedrock: { format: "bedrock", options: {} },
  "bedrock strict": { format: "bedrock", options: { strict: true } },
  "ai-sdk": { format: "ai-sdk", options: {} },
  "ai-sdk strict": { format: "ai-sdk", options: { strict: true } },
}

/** What one target makes of some tools. */
export interface Outcome {
  readonly projection: Projection
  readonly sent: ReadonlyArray<Sent>
}

export const projected = (
  tools: ReadonlyArray<ServerTool>,
  target: Target,
  more: ProjectionOptions = {},
): Outcome => {
  const { format, options } = waysTo[target]
  const projection = project(tools, format, { ...options, ...more })
  return {
    projection,
    sent: projection.tools === undefined ? [] : sentBy[format](projection.tools),
  }
}

/** The rules that hold for a schema that was sent: those of strict mode only where it is strict. */
export const rulesFor = (target: Target, { strict }: Sent): Target =>
  strict ? target : (target.replace(" strict", "") as Target) // each strict target has one without

/** What the tools that were sent break of their provider's rules. */
export const broken = ({ sent }: Outcome, target: Target): ReadonlyArray<string> =>
  sent.flatMap((each) =>
    each.schema === undefined ? [] : violations(rulesFor(target, each), each.schema),
  )

/** A tool with that schema. */
export const toolWith = (inputSchema: unknown, name = "tool"): ServerTool => ({
  server: "s",
  // Servers send what they like, and that is what these tests are about.
  tool: { name, inputSchema } as ServerTool["tool"],
})

/** A tool that every provider takes as it is. */
export const good = toolWith({ type: "object", properties: { q: { type: "string" } } }, "good")

/** The kinds and places of a report, as they can be compared. */
export const changes = (report: ReadonlyArray<ReportEntry>): ReadonlyArray<string> =>
  report.map(({ kind, pointer }) => `${kind} ${pointer}`)
