/** The two other descriptions of the protocol that ours is compared with. */
export type Other = "official" | "effect/ai"

/** A message of the corpus on which we and others do not agree. */
export interface Difference {
  readonly message: string
  readonly others: ReadonlyArray<Other>
  readonly we: "accept" | "refuse"
  readonly because: string
}

const both = ["official", "effect/ai"] as const

const accept = (message: string, others: ReadonlyArray<Other>, because: string): Difference => ({
  message,
  others,
  we: "accept",
  because,
})

const refuse = (message: string, others: ReadonlyArray<Other>, because: string): Difference => ({
  message,
  others,
  we: "refuse",
  because,
})

const unknownBlock = "V25-TOOL-04, C088: an unknown kind of block must not cost the whole result"
const hint = "V25-RES-07: annotations are hints, an odd one is kept and costs nothing"
const envelope = "V26-META-01, V26-META-02: their schemas do not look into the modern _meta"
const choice = "V26-ELIC-17: a broken choice must not be shown as a line of text"

/** Every known difference and its reason. The test fails for one that is missing, or has gone. */
export const differences: ReadonlyArray<Difference> = [
  accept("ping-result-talkative", ["official"], "V25-RPC-11: every result is an open object"),
  accept(
    "initialize-result-experimental-flag",
    ["official"],
    "V25-CAP-09: an unknown experimental capability, whatever its value, is ignored",
  ),
  accept(
    "tools-list-result-unknown-task-support",
    ["official"],
    "V25-TOOL-14: an unknown value counts as forbidden",
  ),
  accept("tools-list-result-odd-icon", both, "V25-META-01: odd sizes and themes are ignored"),
  accept("tools-call-result-unknown-blocks", both, unknownBlock),
  accept("prompts-get-result-unknown-block", both, unknownBlock),
  accept(
    "tools-call-result-bad-base64",
    both,
    "V25-PROMPT-05: bad Base64 is reported to the host, not thrown by the parser",
  ),
  accept("tools-call-result-odd-annotations", both, hint),
  accept("resources-list-result-odd-date", ["official"], hint),
  accept(
    "elicitation-url-unparsable",
    ["official"],
    "V26-ELIC-28: whoever would open the URL parses it, and refuses it then",
  ),
  accept(
    "cancelled-without-id",
    ["effect/ai"],
    "V25-CANC-08: the type of 2025-11-25 allows it; such a notification is ignored",
  ),
  accept(
    "listen-result-untagged",
    ["official"],
    "V26-SUB-10: the id of the response already says which subscription has ended",
  ),
  refuse(
    "ping-result-array",
    ["effect/ai"],
    "V25-RPC-01: a result is an object; an empty struct of Effect takes any value",
  ),
  refuse("tools-call-task-flag", ["effect/ai"], "V25-TASK-03: their schema does not know task"),
  refuse(
    "tools-call-token-fraction",
    ["effect/ai"],
    "V25-PROG-01: a token is a string or an integer",
  ),
  refuse(
    "tools-call-result-contentless",
    ["official"],
    "V25-TOOL-04: content is required; their schema fills in an empty list",
  ),
  refuse(
    "tools-call-result-structured-array",
    both,
    "V25-TOOL-08: an object in the legacy era; their schemas have one description for both eras",
  ),
  refuse("roots-list-result-web", ["effect/ai"], "V25-ROOT-01: the URI of a root is a file URI"),
  refuse("elicitation-enum-number", both, choice),
  refuse("elicitation-one-of-untitled", both, choice),
  refuse("elicitation-proto", ["official"], "V26-SEC-17: Zod passes over a key called __proto__"),
  refuse(
    "elicitation-result-content-null",
    both,
    "V25-ELI-06: content is absent unless a form was accepted",
  ),
  refuse("modern-request-without-meta", both, envelope),
  refuse("modern-request-without-version", both, envelope),
  refuse("modern-request-without-capabilities", both, envelope),
  refuse("modern-request-capability-flag", ["official"], envelope),
  refuse("modern-request-log-level", both, envelope),
  refuse(
    "modern-retry-error-answer",
    both,
    "V26-MRTR-14: there is no error answer; their schemas do not look at inputResponses",
  ),
  refuse(
    "modern-cancelled-without-id",
    ["official"],
    "V26-CANC-05: required in this era; their schema is that of 2025-11-25",
  ),
]

/** What the others have no schema for, as era, method and part. */
export const notDescribed: Readonly<Record<Other, ReadonlyArray<string>>> = {
  official: [
    "modern notifications/tasks params",
    "modern prompts/get input_required",
    "modern resources/read input_required",
    "modern tasks/cancel params",
    "modern tasks/cancel result",
    "modern tasks/get params",
    "modern tasks/get result",
    "modern tasks/update params",
    "modern tasks/update result",
    "modern tools/call input_required",
    "modern tools/call task",
  ],
  "effect/ai": [
    "legacy notifications/tasks/status params",
    "legacy tasks/cancel params",
    "legacy tasks/cancel result",
    "legacy tasks/get params",
    "legacy tasks/get result",
    "legacy tasks/list params",
    "legacy tasks/list result",
    "legacy tasks/result params",
    "legacy tasks/result result",
    "legacy tools/call task",
    "modern notifications/subscriptions/acknowledged params",
    "modern notifications/tasks params",
    "modern prompts/get input_required",
    "modern resources/read input_required",
    "modern server/discover params",
    "modern server/discover result",
    "modern subscriptions/listen params",
    "modern subscriptions/listen result",
    "modern tasks/cancel params",
    "modern tasks/cancel result",
    "modern tasks/get params",
    "modern tasks/get result",
    "modern tasks/update params",
    "modern tasks/update result",
    "modern tools/call input_required",
    "modern tools/call task",
  ],
}
