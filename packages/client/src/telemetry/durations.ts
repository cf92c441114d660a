import type * as Context from "effect/Context"
import * as Metric from "effect/Metric"
import type { Attributes } from "./server-place.js"

/** Seconds, as the conventions for MCP have them. */
const boundaries = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300]

const histogram = (name: string, description: string) =>
  // `@effect/opentelemetry` takes the unit of a metric from here.
  Metric.histogram(name, { description, boundaries, attributes: { unit: "s" } })

const operations = histogram(
  "mcp.client.operation.duration",
  "How long MCP requests took, from the sending to the answer or whatever came instead.",
)

const sessions = histogram(
  "mcp.client.session.duration",
  "How long connections to MCP servers were of use, from the agreement to the end.",
)

/** So many tools and prompts of one server are counted by name; their number is up to it. */
const mostNames = 1_000

const nameKeys = ["gen_ai.tool.name", "gen_ai.prompt.name"] as const

/** Counts durations in a metric registry of Effect's. */
export class Durations {
  readonly #names = new Set<string>()
  readonly #context: Context.Context<never>

  /** The context has the registry. */
  constructor(context: Context.Context<never>) {
    this.#context = context
  }

  operation(seconds: number, attributes: Attributes): void {
    this.#count(operations, seconds, this.#bounded(attributes))
  }

  session(seconds: number, attributes: Attributes): void {
    this.#count(sessions, seconds, attributes)
  }

  #count(metric: Metric.Histogram<number>, seconds: number, attributes: Attributes): void {
    const labels = Object.fromEntries(
      Object.entries(attributes).map(([key, value]) => [key, String(value)]),
    )
    Metric.withAttributes(metric, labels).updateUnsafe(seconds, this.#context)
  }

  /** Each name is a series that stays for good: beyond the bound they are counted together. */
  #bounded(attributes: Attributes): Attributes {
    const key = nameKeys.find((name) => attributes[name] !== undefined)
    if (key === undefined) return attributes
    const name = `${key} ${attributes[key]}`
    if (this.#names.has(name)) return attributes
    if (this.#names.size >= mostNames) {
      const { [key]: _name, ...others } = attributes
      return others
    }
    this.#names.add(name)
    return attributes
  }
}
