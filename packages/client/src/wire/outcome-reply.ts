import { classify } from "@entente/protocol"
import type { Trace } from "@entente/trace"
import type { HttpRejection, SendOutcome } from "@entente/transport"
import type { Reply } from "./reply.js"

/** What the end of a message's exchange means to its request, if that still waits. */
export const replyOf = (id: number, outcome: SendOutcome, trace: Trace): Reply | undefined => {
  switch (outcome._tag) {
    case "Written":
    case "Aborted":
      return undefined
    case "Ended":
      return { _tag: "Lost", cause: undefined, instead: insteadOf(outcome) }
    case "Failed": {
      const { error, mayHaveArrived } = outcome
      // The way back broke off after the way there had worked: nobody knows what became of it.
      const isLoss = error._tag === "Unreachable" || error._tag === "ProcessExited"
      return mayHaveArrived && isLoss
        ? { _tag: "Lost", cause: error }
        : { _tag: "Failed", error, mayHaveArrived }
    }
    case "Rejected":
      return rejectionReply(id, outcome.rejection, trace)
  }
}

/** What an answer was that brought no message for its request. */
const insteadOf = ({
  status,
  messages,
  streamed,
}: Extract<SendOutcome, { readonly _tag: "Ended" }>): string => {
  if (streamed) return "its stream ended before it"
  return messages === 0
    ? `HTTP ${status} came with an empty body`
    : "another message came in its place"
}

const rejectionReply = (id: number, rejection: HttpRejection, trace: Trace): Reply => {
  if (trace.active && rejection.json !== undefined) {
    trace.emit({ type: "frame", direction: "in", message: rejection.json })
  }
  const body = classify(rejection.json)
  // V25-HTTP-43: the exchange says whose error it is, whether or not the body has its id.
  if (body.kind !== "failure" || (body.message.id ?? id) !== id) {
    return { _tag: "Rejected", rejection }
  }
  const idLess = (body.message.id ?? undefined) === undefined
  const { status, headers } = rejection
  return { _tag: "Failure", error: body.message.error, status, headers, idLess }
}

/** Why an answer of ours did not get through, in plain words. */
export const refusalOf = (outcome: SendOutcome): string | undefined => {
  if (outcome._tag === "Rejected") return `HTTP ${outcome.rejection.status}`
  return outcome._tag === "Failed" ? outcome.error.message : undefined
}
