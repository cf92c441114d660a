import {
  modernServer,
  tool,
  withRules,
  type ReceivedRequest,
  type Rule,
  type Script,
} from "@entente/testkit"

/** A question by form, as a server writes it. */
export const form = (
  message: string,
  properties: Readonly<Record<string, unknown>> = { ok: { type: "boolean" } },
): Readonly<Record<string, unknown>> => ({
  method: "elicitation/create",
  params: { mode: "form", message, requestedSchema: { type: "object", properties } },
})

/** A question for a model. */
export const sampling = (more: Readonly<Record<string, unknown>> = {}) => ({
  method: "sampling/createMessage",
  params: {
    messages: [{ role: "user", content: { type: "text", text: "Hello?" } }],
    maxTokens: 10,
    ...more,
  },
})

/** An answer in the middle. */
export const inputRequired = (
  more: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> => ({ resultType: "input_required", ...more })

/** A modern server whose tool `book` answers with these, one after the other; the last one stays. */
export const asking = (
  answers: ReadonlyArray<Readonly<Record<string, unknown>>>,
  method = "tools/call",
): Script =>
  withRules(
    modernServer({ tools: [tool("book"), tool("other")] }),
    ...answers.map((result, at): Rule => ({
      when: { method },
      ...(at < answers.length - 1 ? { times: 1 } : {}),
      reply: [{ result }],
    })),
  )

export const done = {
  resultType: "complete",
  content: [{ type: "text", text: "booked" }],
}

/** Params of the calls a server received, without what every request carries. */
export const paramsOf = (
  calls: ReadonlyArray<ReceivedRequest>,
): ReadonlyArray<Readonly<Record<string, unknown>>> =>
  calls.map(({ message }) => {
    const { _meta: _, ...params } = message.params ?? {}
    return params
  })

/** A promise that a test settles when it likes. */
export const deferred = <A = void>(): {
  readonly promise: Promise<A>
  readonly resolve: (value: A) => void
} => {
  let resolve: (value: A) => void = () => {}
  const promise = new Promise<A>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}
