import { InvalidInput, explain } from "@entente/protocol"
import { describe, expect, it } from "vitest"
import { classifyProbe, type Answer, type Dialect } from "../src/index.js"
import * as answers from "./support/answers.js"

const both: ReadonlyArray<Dialect> = ["stream", "http"]
const stream: ReadonlyArray<Dialect> = ["stream"]
const http: ReadonlyArray<Dialect> = ["http"]

const error = (code: number, status?: number): Answer =>
  answers.rpcError(code, "no", status === undefined ? {} : { status })

const noToken: Answer = {
  _tag: "Gone",
  error: new InvalidInput(explain("invalid-input", "negotiate", "demo", "A header is not valid.")),
}

/** One row for each row of the tables in V26-ERA-02 and V26-ERA-08, and for the traps beside them. */
const table: ReadonlyArray<
  readonly [id: string, what: string, ReadonlyArray<Dialect>, Answer, verdict: string]
> = [
  ["V26-ERA-02", "a DiscoverResult", both, answers.discovered("2026-07-28"), "modern"],
  [
    "V26-VER-07",
    "a DiscoverResult of the future",
    both,
    answers.discovered("2099-01-01"),
    "modern",
  ],
  ["V26-VER-08", "both eras", both, answers.discovered("2025-11-25", "2026-07-28"), "modern"],
  ["V26-VER-08", "only legacy versions", both, answers.discovered("2025-11-25", "x"), "legacy"],
  ["T-09", "a result of something else", both, answers.result({ tools: [] }), "legacy"],
  [
    "T-09",
    "versions without capabilities",
    both,
    answers.result({ supportedVersions: [] }),
    "legacy",
  ],
  ["V26-ERA-02", "−32022", both, error(-32022), "retryVersion"],
  ["V26-ERA-08", "400 with −32022", http, error(-32022, 400), "retryVersion"],
  ["V26-ERA-08", "400 with −32020", http, error(-32020, 400), "correct"],
  ["V26-ERA-08", "400 with −32021", http, error(-32021, 400), "correct"],
  ["V26-ERA-09", "−32021", both, error(-32021), "correct"],
  ["V26-ERA-09", "a proof with a strange status", http, error(-32022, 500), "retryVersion"],
  ["V26-ERA-02", "−32601", both, error(-32601), "legacy"],
  ["V26-ERA-02", "−32602", both, error(-32602), "legacy"],
  ["V26-ERA-03", "−32600", both, error(-32600), "legacy"],
  ["V26-ERA-03", "0", both, error(0), "legacy"],
  ["V26-ERR-01", "−32004 of a draft", both, error(-32004), "legacy"],
  ["T-04", "404 with −32601", http, error(-32601, 404), "legacy"],
  ["V26-ERA-08", "200 with −32601", http, error(-32601, 200), "legacy"],
  ["V26-ERA-02", "silence on a stream", stream, answers.silence, "legacy"],
  ["V26-ERA-08", "silence over HTTP", http, answers.silence, "outage"],
  ["V26-ERA-02", "the process ends", stream, answers.exited, "gone"],
  ["V26-ERA-08", "the network fails", http, answers.networkDown, "unreachable"],
  ["V26-ERA-08", "a message that could not be sent", both, noToken, "rejected"],
  ["V26-ERA-08", "2xx that is no answer", http, answers.invalid, "legacy"],
  ["V26-ERA-02", "a line that is no answer", stream, answers.invalid, "legacy"],
  ["V26-ERA-08", "202", http, answers.status(202), "legacy"],
  ["T-08", "400", http, answers.status(400), "legacy"],
  ["T-08", "404", http, answers.status(404), "legacy"],
  ["T-08", "405", http, answers.status(405), "legacy"],
  ["T-08", "406", http, answers.status(406), "legacy"],
  ["T-08", "415", http, answers.status(415), "legacy"],
  ["T-08", "422", http, answers.status(422), "legacy"],
  ["V26-ERA-08", "401 with its challenge", http, answers.unauthorized, "unauthorized"],
  ["T-08", "401", http, answers.status(401), "unauthorized"],
  ["T-08", "403", http, answers.status(403), "unauthorized"],
  ["V26-HDR-12", "403 with an error", http, error(-32600, 403), "unauthorized"],
  ["T-08", "407", http, answers.status(407), "rejected"],
  ["T-08", "408", http, answers.status(408), "outage"],
  ["V26-HDR-14", "413", http, answers.status(413), "rejected"],
  ["V26-HDR-14", "431", http, answers.status(431), "rejected"],
  ["T-08", "429", http, answers.status(429), "outage"],
  ["V26-ERA-08", "500", http, answers.status(500), "outage"],
  ["V26-ERA-08", "503", http, answers.status(503), "outage"],
  ["V26-ERA-08", "500 with −32603", http, error(-32603, 500), "outage"],
  ["V26-ERA-08", "a redirect that was not followed", http, answers.status(307), "rejected"],
]

const cases = table.flatMap(([id, what, dialects, answer, verdict]) =>
  dialects.map((dialect) => [id, dialect, what, verdict, answer] as const),
)

describe("classifyProbe", () => {
  it.each(cases)("%s %s: %s is read as %s", (_, dialect, __, verdict, answer) => {
    expect(classifyProbe(answer, dialect).verdict).toBe(verdict)
  })

  it("V26-VER-02 keeps the versions that −32022 names, as far as they are strings", () => {
    const answer = answers.rpcError(-32022, "no", { data: { supported: ["2026-07-28", 7, null] } })
    expect(classifyProbe(answer, "http")).toEqual({
      verdict: "retryVersion",
      supported: ["2026-07-28"],
    })
  })

  it("keeps the DiscoverResult as it came", () => {
    const discover = answers.discoverResult("2026-07-28")
    expect(classifyProbe(answers.result(discover), "stream")).toEqual({
      verdict: "modern",
      discover,
      supported: ["2026-07-28"],
    })
  })
})
