import * as Context from "effect/Context"
import * as Exit from "effect/Exit"
import * as Option from "effect/Option"
import type * as Tracer from "effect/Tracer"
import type { RequestId } from "@entente/protocol"
import type { ServerAnswer } from "../wire/server-request.js"
import type { ObservationContext } from "./observation.js"
import { mostLetters } from "./request-attributes.js"
import type { Attributes } from "./server-place.js"

/** What is told of one request of the server: a span of kind `server`, for here this side serves. */
export class ServedQuestion {
  #over = false
  readonly span: Tracer.Span
  readonly #context: Pick<ObservationContext, "now" | "safely">

  constructor(
    tracer: Tracer.Tracer,
    asked: {
      readonly method: string
      readonly id: RequestId
      readonly parent: Tracer.AnySpan | undefined
      readonly attributes: Attributes
    },
    context: Pick<ObservationContext, "now" | "safely">,
  ) {
    const { method, id, parent, attributes } = asked
    this.#context = context
    this.span = tracer.span({
      name: method.slice(0, mostLetters),
      kind: "server",
      parent: Option.fromUndefinedOr(parent),
      // The server's own word is all there is: whatever is active here has to do with something else.
      root: parent === undefined,
      links: [],
      annotations: Context.empty(),
      startTime: context.now(),
      sampled: parent?.sampled ?? true,
    })
    for (const [key, value] of Object.entries(attributes)) this.span.attribute(key, value)
    this.span.attribute("jsonrpc.request.id", String(id).slice(0, mostLetters))
  }

  answered(answer: ServerAnswer | undefined): void {
    if (answer === undefined || "result" in answer) return this.#end({}, undefined)
    const code = String(answer.error.code)
    this.#end(
      { "error.type": code, "rpc.response.status_code": code },
      new Error(answer.error.message),
    )
  }

  /** The server took its request back, or is gone. */
  takenBack(): void {
    this.#end({ "error.type": "aborted" }, new Error("Nobody waits for the answer any more."))
  }

  #end(outcome: Attributes, error: Error | undefined): void {
    if (this.#over) return
    this.#over = true
    this.#context.safely(() => {
      for (const [key, value] of Object.entries(outcome)) this.span.attribute(key, value)
      this.span.end(this.#context.now(), error === undefined ? Exit.void : Exit.fail(error))
    })
  }
}
