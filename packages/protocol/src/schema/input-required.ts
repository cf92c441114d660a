import * as Schema from "effect/Schema"
import { formFields, urlFields, ElicitResult } from "./elicitation.js"
import { Meta } from "./meta.js"
import { open, optional } from "./open.js"
import { Root } from "./root.js"
import { CreateMessageResult, samplingFields } from "./sampling.js"

/** The params of `roots/list`, which may be left out. */
export class ListRootsParams extends Schema.Opaque<ListRootsParams>()(
  open({ _meta: optional(Meta) }),
) {}

/** What the client says its roots are. */
export class ListRootsResult extends Schema.Opaque<ListRootsResult>()(
  open({ roots: Schema.Array(Root), _meta: optional(Meta) }),
) {}

/**
 * Something a modern server wants to know before it goes on. These are no JSON-RPC messages: no id,
 * no `jsonrpc` (V26-META-15). Other methods make the whole result invalid (V26-MRTR-13).
 */
export const InputRequest = Schema.Union([
  open({
    method: Schema.Literal("elicitation/create"),
    params: Schema.Union([open(urlFields), open(formFields)]),
  }),
  open({ method: Schema.Literal("sampling/createMessage"), params: open(samplingFields) }),
  open({
    method: Schema.Literal("roots/list"),
    params: optional(open({ _meta: optional(Meta) })),
  }),
]).annotate({ expected: "a request for elicitation, sampling or roots" })
export type InputRequest = typeof InputRequest.Type

/** Requests under keys of the server's choosing. */
export const InputRequests = Schema.Record(Schema.String, InputRequest)
export type InputRequests = typeof InputRequests.Type

/**
 * One answer, without `resultType` (V26-RTYPE-06); there is no way to answer with an error
 * (V26-MRTR-14).
 */
export const InputResponse = Schema.Union([ElicitResult, CreateMessageResult, ListRootsResult])
export type InputResponse = typeof InputResponse.Type

/** Answers under the keys of the requests they belong to. */
export const InputResponses = Schema.Record(Schema.String, InputResponse)
export type InputResponses = typeof InputResponses.Type

/** What a retry adds to the params of the request it repeats (V26-MRTR-09). */
export const retryFields = {
  inputResponses: optional(InputResponses),
  /** Exactly the string of the latest result, if it had one (V26-MRTR-05, V26-MRTR-07). */
  requestState: optional(Schema.String),
}

const inputRequiredFields = {
  resultType: Schema.Literal("input_required"),
  inputRequests: optional(InputRequests),
  requestState: optional(Schema.String),
  _meta: optional(Meta),
}

/**
 * The server needs input, or more time, before it can answer. At least one of `inputRequests` and
 * `requestState` is there (V26-MRTR-02).
 */
export class InputRequiredResult extends Schema.Opaque<InputRequiredResult>()(
  open(inputRequiredFields).check(
    Schema.makeFilter(
      (result) =>
        result.inputRequests !== undefined ||
        result.requestState !== undefined ||
        "neither inputRequests nor requestState",
    ),
  ),
) {}
