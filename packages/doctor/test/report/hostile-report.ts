import type { Diagnosis, Report } from "@entente/doctor"
import type { TraceEvent } from "@entente/trace"

/** A trace in which a server says a text wherever it can. */
const traceWith = (text: string): ReadonlyArray<TraceEvent> => [
  {
    type: "frame",
    seq: 0,
    at: 1_000,
    direction: "out",
    message: { jsonrpc: "2.0", id: 1, method: "initialize", params: { protocolVersion: text } },
  },
  {
    type: "frame",
    seq: 1,
    at: 1_010,
    direction: "in",
    message: {
      jsonrpc: "2.0",
      id: 1,
      result: { protocolVersion: text, capabilities: { [text]: {} } },
    },
  },
  { type: "process", seq: 2, at: 1_020, event: "stderr", detail: text },
  {
    type: "frame",
    seq: 3,
    at: 1_030,
    direction: "in",
    message: { jsonrpc: "2.0", method: text },
  },
  { type: "http", seq: 4, at: 1_040, exchange: 1, method: text, url: text, headers: {} },
]

/** A report in which a text of a server stands wherever one may. */
export const reportWith = (text: string): Report => {
  const cause: Diagnosis["hypotheses"][number] = {
    code: text,
    family: 2,
    confidence: 0.9,
    title: `It says ${text}`,
    evidence: [
      { frame: 1, excerpt: text, marked: text.slice(0, 4) },
      { frame: 4, excerpt: text },
    ],
    expected: text,
    fix: { server: text, proxy: text, client: text },
    next: `entente doctor ${text}`,
  }
  return {
    name: text,
    diagnosis: {
      verdict: "failed",
      era: "legacy",
      protocolVersion: text,
      stages: [{ stage: "list", status: "failed", detail: text }],
      counts: { raw: 0, accepted: 0, exposed: 0 },
      hypotheses: [cause, { ...cause, confidence: 0.5 }],
      remarks: [{ code: text, detail: text, count: 2 }],
    },
    trace: traceWith(text),
  }
}

/** Texts that are something else than text, somewhere. */
export const hostileTexts: ReadonlyArray<string> = [
  "@everyone see #12 and GH-7 at owner/repo#3",
  "<img src=x onerror=alert(1)><!-- <script>",
  "[click](javascript:alert(1)) ![x](http://evil.example/x.png)",
  "http://evil.example www.evil.example mail@evil.example",
  "`code` ``two`` ``` three ````four````",
  "```\n```\n# heading\n- item\n> quote",
  "~~~ *a* **b** _c_ __d__ ~~e~~ $x$ \\| | a | b |",
  "a | b \\| c \\\\| d",
  "&lt;b&gt; &amp; &#x41; ]]> <![CDATA[ <?xml ?> </failure>",
  "\u001b[2J\u001b]0;owned\u0007 \u202egnirts\u200b\u2028x\r\n\u0000y",
  "\ud800 lone \udfff halves \ufffe \uffff",
  "\"double\" 'single' `",
  "`",
  "",
]
