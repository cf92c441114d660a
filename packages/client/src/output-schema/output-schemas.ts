import {
  StructuredContentInvalid,
  explain,
  plainText,
  tolerates,
  type CallToolResult,
  type EntenteError,
  type JsonObject,
  type ToleranceCode,
} from "@entente/protocol"
import type { NoteBook } from "../wire/note-book.js"
import type { Compiled, Verdict } from "./compile.js"
import { rememberCheck } from "./structured-content.js"

/** Whether structured content is held against the output schema of its tool. */
export type OutputSchemaUse = "check" | "ignore"

/** A tool, as far as it says what it answers. */
interface DescribedTool {
  readonly name: string
  readonly outputSchema?: JsonObject
}

/** An output schema, and how many changes of the list had been announced when it was read. */
interface Known {
  readonly schema: JsonObject
  readonly changes: number
}

/** The part that makes code, and everything it needs: loaded with the first schema, never before. */
type Loader = () => Promise<{ readonly compile: (schema: JsonObject) => Compiled }>

/** How many tools with an output schema are remembered, and how many schemas ready for use. */
const bounds = { tools: 10_000, compiled: 100 }

/** A map that forgets what was put in first. */
const put = <Key, Value>(map: Map<Key, Value>, key: Key, value: Value, limit: number): void => {
  map.delete(key)
  map.set(key, value)
  const [oldest] = map.keys()
  if (map.size > limit && oldest !== undefined) map.delete(oldest)
}

/**
 * The output schemas of one server's tools. Every page of the list that is read, by whomever, is learnt
 * from; results of tools that were never listed are not checked. Each schema is compiled when its tool is
 * first called, and stands for that tool alone (V26-SCHEMA-08).
 */
export class OutputSchemas {
  readonly #notes: NoteBook
  readonly #target: string
  readonly #use: OutputSchemaUse
  readonly #load: Loader
  readonly #tools = new Map<string, Known>()
  readonly #compiled = new Map<JsonObject, Compiled>()
  #changes = 0

  constructor(
    notes: NoteBook,
    target: string,
    use: OutputSchemaUse = "check",
    load: Loader = () => import("./compile.js"),
  ) {
    this.#notes = notes
    this.#target = target
    this.#use = use
    this.#load = load
  }

  /** Learns what tools of the list answer. */
  learn(tools: ReadonlyArray<DescribedTool>): void {
    for (const { name, outputSchema: schema } of tools) {
      if (schema === undefined) this.#tools.delete(name)
      else put(this.#tools, name, { schema, changes: this.#changes }, bounds.tools)
    }
  }

  /** What is known may no longer hold: the list has changed, or may have done so unnoticed. */
  doubt(): void {
    this.#changes++
  }

  /**
   * Checks the result of a tool and says with which error to end, if with one. At once where there is
   * nothing to do, or where the schema was compiled before; the first time it waits for the compiler.
   */
  check(
    tool: string,
    result: CallToolResult,
    use: OutputSchemaUse | undefined,
    done: (error: EntenteError | undefined) => void,
  ): void {
    const known = this.#tools.get(tool)
    if (known === undefined || (use ?? this.#use) === "ignore") return done(undefined)
    // What a tool says of its own failure need not conform, and is never hidden (V25-TOOL-05).
    if (result.isError === true) return done(undefined)
    if (!Object.hasOwn(result, "structuredContent")) {
      return done(this.#tolerate("structured-content-missing", tool, "text alone"))
    }
    const compiled = this.#compiled.get(known.schema)
    if (compiled !== undefined) return done(this.#judge(tool, known, compiled, result))
    void this.#checkLater(tool, known, result, done)
  }

  async #checkLater(
    tool: string,
    known: Known,
    result: CallToolResult,
    done: (error: EntenteError | undefined) => void,
  ): Promise<void> {
    const compile = await this.#loaded()
    if (compile === undefined) {
      return done(this.#unusable(tool, result, "", "cannot be compiled: ajv could not be loaded"))
    }
    const compiled = this.#compiled.get(known.schema) ?? compile(known.schema)
    put(this.#compiled, known.schema, compiled, bounds.compiled)
    done(this.#judge(tool, known, compiled, result))
  }

  /** Nothing where it could not be loaded, as when a page has lost its server; the next call tries again. */
  async #loaded(): Promise<((schema: JsonObject) => Compiled) | undefined> {
    try {
      return (await this.#load()).compile
    } catch {
      return undefined
    }
  }

  #judge(
    tool: string,
    known: Known,
    compiled: Compiled,
    result: CallToolResult,
  ): EntenteError | undefined {
    if (!compiled.ok) return this.#unusable(tool, result, compiled.pointer, compiled.reason)
    const verdict = compiled.check(result.structuredContent)
    if (verdict._tag === "Valid") {
      rememberCheck(result, { status: "valid" })
      return undefined
    }
    if (verdict._tag === "Unknown") return this.#unchecked(tool, result, verdict.reason)
    const outdated = known.changes !== this.#changes
    return outdated
      ? this.#unchecked(
          tool,
          result,
          `${faultOf(verdict)}, by a schema that may have changed since`,
        )
      : this.#invalid(tool, result, verdict)
  }

  #invalid(
    tool: string,
    result: CallToolResult,
    verdict: Extract<Verdict, { readonly _tag: "Invalid" }>,
  ): EntenteError | undefined {
    const { pointer, reason } = verdict
    const code = "structured-content-invalid"
    if (tolerates(this.#notes.policy, code)) {
      rememberCheck(result, { status: "invalid", pointer, reason })
      return this.#tolerate(code, tool, faultOf(verdict))
    }
    const what = `The structured content of ${named(tool)} does not conform to its output schema: ${faultOf(verdict)}.`
    const fields = explain(code, "request", this.#target, what)
    return new StructuredContentInvalid({ ...fields, tool, pointer, result })
  }

  #unusable(
    tool: string,
    result: CallToolResult,
    pointer: string,
    reason: string,
  ): EntenteError | undefined {
    const what = plainText(`/outputSchema${pointer} ${reason}`)
    rememberCheck(result, {
      status: "unchecked",
      reason: `The output schema is not used: ${what}.`,
    })
    return this.#tolerate("output-schema-unusable", tool, what)
  }

  #unchecked(tool: string, result: CallToolResult, reason: string): EntenteError | undefined {
    rememberCheck(result, { status: "unchecked", reason: `It could not be checked: ${reason}.` })
    return this.#tolerate("structured-content-unchecked", tool, reason)
  }

  #tolerate(code: ToleranceCode, tool: string, detail: string): EntenteError | undefined {
    return this.#notes.tolerate(code, "request", `${named(tool)}: ${detail}`)
  }
}

/** The name of a tool is the server's text. */
const named = (tool: string): string => JSON.stringify(plainText(tool, 100))

/** Property names in a pointer are the server's text as well, and so may be those in a reason. */
const faultOf = ({ pointer, reason }: Extract<Verdict, { readonly _tag: "Invalid" }>): string =>
  plainText(`${reason} at ${pointer === "" ? "its root" : pointer}`)
