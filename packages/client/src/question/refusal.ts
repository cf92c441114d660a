import {
  QuestionRefused,
  explain,
  rpcCode,
  type Mismatch,
  type QuestionRefusal,
} from "@entente/protocol"
import { excerpt } from "@entente/transport"

interface Row {
  readonly rpcCode: number
  /** What a legacy server is told: of its own words, never of a handler's. */
  readonly told: (method: string, what: string) => string
  /** What whoever runs this client can do about it. */
  readonly hint: string
}

const broken = "This is a fault of the server; the message says what is wrong with its question."

/** How each refusal looks to both sides. Trap 61: a missing capability is -32601, a missing mode -32602. */
const rows: { readonly [Kind in QuestionRefusal]: Row } = {
  unsupported: {
    rpcCode: rpcCode.methodNotFound,
    told: (method) => `This client does not offer ${method}`,
    hint: "Give connect a handler for it, if somebody is there to answer.",
  },
  undeclared: {
    rpcCode: rpcCode.invalidParams,
    told: (_, what) => `This client did not declare ${what}`,
    hint: "The server asked for more than was declared; declare it with its handler, if you mean to.",
  },
  "invalid-question": {
    rpcCode: rpcCode.invalidParams,
    told: (_, what) => `Invalid params: ${what}`,
    hint: broken,
  },
  refused: {
    rpcCode: rpcCode.userRefused,
    told: () => "The user refused",
    hint: "Nothing to do: the handler said so.",
  },
  "handler-failed": {
    rpcCode: rpcCode.internalError,
    told: () => "This client could not answer",
    hint: "The cause in this error is what the handler failed with.",
  },
  "invalid-answer": {
    rpcCode: rpcCode.internalError,
    told: () => "This client could not answer",
    hint: "This is a fault of the handler; the message says what it gave. Nothing of it was sent.",
  },
  "too-many": {
    rpcCode: rpcCode.internalError,
    told: () => "Too many questions at once",
    hint: "The server asks faster than its questions are answered.",
  },
}

/** Where a question came from, for its refusal. */
export interface Asked {
  readonly method: string
  readonly target: string
}

/** Makes the refusal of one kind; `what` is for this side, and quotes no value. */
export const refusal = (
  kind: QuestionRefusal,
  { method, target }: Asked,
  what: string,
  more: { readonly cause?: unknown; readonly pointer?: string } = {},
): QuestionRefused => {
  const { rpcCode: code, told, hint } = rows[kind]
  return new QuestionRefused({
    ...explain("question-refused", "request", target, `${method} was not answered: ${what}.`, hint),
    method,
    kind,
    rpcCode: code,
    rpcMessage: told(method, what),
    ...more,
  })
}

/** The refusal of something that does not have its shape. */
export const mismatched = (
  kind: "invalid-question" | "invalid-answer",
  asked: Asked,
  { pointer, reason }: Pick<Mismatch, "pointer" | "reason">,
): QuestionRefused =>
  refusal(kind, asked, `${reason} at ${excerpt(pointer) || "its root"}`, { pointer })
