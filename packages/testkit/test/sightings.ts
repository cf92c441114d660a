import type { Over } from "../src/node.js"
import type { VisitOptions } from "./visit.js"

/** What a raw client must have seen for the sentence of a misbehaviour to be true. */
export interface Sighting extends VisitOptions {
  readonly seen: RegExp | (Partial<Record<Over, RegExp>> & { readonly else: RegExp })
  /** How long it takes at least, in milliseconds. */
  readonly takes?: number
}

const unansweredCall = /^(?!.*"id":3,).*"id":4,"(result|error)"/s

const probed = (status: RegExp): Sighting => ({
  probe: true,
  seen: new RegExp(`server/discover ${status.source}.*initialize 200 `, "s"),
})

const listened = (seen: RegExp): Sighting => ({
  listens: true,
  seen: new RegExp(`^(?=.*\\n${seen.source})(?=.*tools/list 200 )`, "s"),
})

const streamed = (body: RegExp): RegExp =>
  new RegExp(`tools/call 200 text/event-stream ${body.source}`, "s")

/** By name; a pattern alone is what has to be seen in every scene. */
export const sightings: Readonly<Record<string, RegExp | Sighting>> = {
  // handshake
  "insists-on-2024-11-05": /"protocolVersion":"2024-11-05"/,
  "fictional-version": /"protocolVersion":"2099-12-31"/,
  "version-is-a-number": /"protocolVersion":20251125/,
  "bare-initialize-result": /"result":\{"protocolVersion":"2025-11-25"\}/,
  "initialize-fails": /"id":1,"error":\{"code":-32603,"message":"The database is down"\}/,
  "initialize-names-versions":
    /"code":-32602.*"supported":\["2025-06-18"\],"requested":"2025-11-25"/,
  "version-gate": /initialize 400 text\/plain version refused; .*2025-06-18/,
  "wants-version-header": /initialize 400 text\/plain Bad Request/,
  "refuses-version-header": {
    versionAtInitialize: true,
    seen: /initialize 400 text\/plain protocol version not accepted/,
  },
  "initialize-always-400": {
    listens: true,
    seen: /initialize 400 text\/plain protocol version not accepted.*GET 405/s,
  },
  "pings-before-ready": /"id":"srv-1","method":"ping".*"id":1,"result"/s,
  "logs-before-ready": /window\/logMessage.*"id":1,"result"/s,
  "acknowledges-with-200-null": /notifications\/initialized 200 application\/json null ¶end/,
  "initialized-refused": /notifications\/initialized 400 text\/plain Not yet/,
  "initialized-never-accepted": {
    silentAt: "notifications/initialized",
    seen: /^(?!.*POST notifications\/initialized).*"id":2,"result":\{\}/s,
  },
  "never-answers": {
    silentAt: "initialize",
    seen: /^(> open\n)?(open mcp\n)?(GET [^\n]*\n)?> request initialize\n> request ping$/,
  },

  // eras
  "version-refused-32022": {
    probe: true,
    seen: /"code":-32022.*"supported":\["2025-11-25",[^\]]*\].*"id":2,"result"/s,
  },
  "version-refused-once": { twice: true, seen: /"code":-32022.*"2026-07-28".*"id":2,"result"/s },
  "version-refused-for-ever": {
    twice: true,
    seen: /"id":1,"error":\{"code":-32022.*"id":2,"error":\{"code":-32022.*"2026-07-28"/s,
  },
  "no-common-version": /"code":-32022.*"supported":\["1999-01-01"\]/,
  "speaks-neither-era": {
    probe: true,
    seen: /"id":1,"error":\{"code":-32601.*"id":2,"error":\{"code":-32601/s,
  },
  "probe-400-text": probed(/400 text\/plain Bad Request/),
  "probe-400-empty": probed(/400 text\/plain {2}¶end/),
  "probe-400-session-missing": probed(/400 [^\n]*"id":null[^\n]*session header missing/),
  "probe-400-invalid-params": probed(/400 [^\n]*-32602/),
  "probe-404-unknown-method": probed(/404 [^\n]*-32601/),
  "probe-405": probed(/405/),
  "probe-415": probed(/415/),
  "probe-401": probed(/401/),
  "probe-429": probed(/429/),
  "probe-500": probed(/500 text\/plain/),
  "probe-503": probed(/503 text\/plain/),
  "probe-silent": {
    probe: true,
    silentAt: "server/discover",
    seen: /^(?!.*POST server\/discover).*"id":2,"result":\{\}/s,
  },
  "ignores-unknown-methods": {
    probe: true,
    silentAt: "server/discover",
    seen: /^(?!.*"id":1,).*"id":2,"result":\{\}/s,
  },
  "exits-on-unknown-first-message": {
    probe: true,
    seen: /stderr: fatal: unknown method server\/discover⏎\nexit 1 null/,
  },
  "late-discover-answer": {
    probe: true,
    silentAt: "server/discover",
    seen: /"id":2,"result":\{\}.*"id":1,"error":\{"code":-32601/s,
    takes: 3_000,
  },
  "silent-without-client-info": {
    silentAt: "server/discover",
    seen: /^(?!.*"id":1,).*"id":2,"error"/s,
  },
  "header-mismatch": /tools\/call 400 .*-32020/,

  // pagination
  "endless-cursors": /"nextCursor":"3".*"nextCursor":"4".*"nextCursor":"5"/s,
  "same-cursor-forever": /("name":"echo"[^⏎\n]*"name":"h"[^⏎\n]*"nextCursor":"8".*){3}/s,
  "cursors-in-a-circle": /"nextCursor":"b".*"nextCursor":"c".*"nextCursor":"b".*"nextCursor":"c"/s,
  "empty-cursor": /"nextCursor":"".*"name":"second"/s,
  "empty-cursor-forever": /("name":"echo"[^⏎\n]*"nextCursor":"".*){3}/s,
  "null-cursor": /"nextCursor":null/,
  "empty-page-between": /"nextCursor":"b".*"tools":\[\],"nextCursor":"c".*"name":"last"/s,
  "cursor-expired": /"nextCursor":"p2".*"code":-32602/s,
  "second-page-fails": /"nextCursor":"p2".*"code":-32603,"message":"The database went away"/s,
  "second-page-never-comes": {
    silentAt: "tools/list",
    silentTime: 2,
    seen: /^(?!.*"id":3,)(?=.*"nextCursor":"p2").*"id":4,"(result|error)"/s,
  },

  // lists
  "bad-input-schema": /"name":"bad","inputSchema":"object"/,
  "input-schema-without-type": /"name":"bad","inputSchema":\{"anyOf"/,
  "null-title": /"title":null,"description":null,"annotations":null/,
  "empty-array-as-object": /"inputSchema":\{"type":"object","properties":\[\]\}/,
  "tool-without-name": /"tools":\[\{"inputSchema":\{"type":"object"\}\},\{"name":"echo"/,
  "duplicate-tool": /"name":"echo"[^\n]*"the first"[^\n]*"name":"echo"[^\n]*"the second"/,
  "bad-output-schema": /"outputSchema":\{[^\n]*"type":"long"/,
  "remote-schema-reference": /"\$ref":"http:\/\/localhost:9\/schema\.json"/,
  "prototype-members": /"__proto__":\{"polluted":true\}[^\n]*"constructor":\{"prototype"/,
  "terminal-escapes": /"title":"\\u001b\[2J[^\n]*\\u0007","description":"\u202E/,
  "tools-is-an-object": /"tools":\{"echo":\{/,
  "list-without-tools":
    /"id":2,"result":\{("resultType":"complete","ttlMs":0,"cacheScope":"private")?\}/,
  "unadvertised-tools": /"capabilities":\{\}.*"name":"echo"/s,
  "advertised-but-unimplemented": /"capabilities":\{"tools":\{\}\}.*"code":-32601/s,
  "list-changes-while-read": /notifications\/tools\/list_changed".*"tools":\[/s,
  "bad-header-annotation": /"items":\{[^\n]*"x-mcp-header":"R"/,

  // envelopes
  "wrong-id": /"id":987654,"result"/,
  "id-as-string": /"id":"3","result"/,
  "error-with-null-id": /"id":null,"error":\{"code":-32603/,
  "result-and-error": /"id":3,"result":\{[^\n]*\},"error":\{/,
  "neither-result-nor-error": /\{"jsonrpc":"2\.0","id":3\}/,
  "without-jsonrpc-member": /\{"id":3,"result"/,
  "error-is-text": /"id":3,"error":"It broke"/,
  "error-code-is-text": /"id":3,"error":\{"code":"E_BROKEN"/,
  "result-is-null": /"id":3,"result":null/,
  "content-is-text": /"content":"hello"/,
  "unknown-content": /"type":"text","text":"hello"\},\{"type":"hologram"/,
  "answered-twice": /"id":3,[^\n]*"the first".*"id":3,[^\n]*"the second"/s,
  "batch-answer": /\[\{"jsonrpc":"2\.0","id":3,"result"/,
  "unknown-notification": /"method":"x\/unknown".*"id":3,"result"/s,
  "unknown-server-request": /"id":"7","method":"x\/unknown".*"id":3,"result"/s,
  "server-request-in-modern": /"id":1,"method":"sampling\/createMessage".*"id":3,"result"/s,
  "ping-with-id-zero": /"id":0,"method":"ping".*"id":3,"result"/s,
  "ping-reply-refused": /"id":"7f1c","method":"ping".*POST reply 400/s,
  "ping-refused": /"message":"ping is not available"/,
  "progress-for-nobody": /"progressToken":"x".*"id":3,"result".*"progressToken":"x"/s,
  "unknown-result-type": /"id":3,"result":\{"resultType":"weird"/,
  "input-required-on-a-list": /"id":2,"result":\{"resultType":"input_required"/,

  // delays
  "call-never-answered": { silentAt: "tools/call", seen: unansweredCall },
  "slow-first-byte": { seen: /tools\/call 200 .*hello/, takes: 1_000 },
  "stalls-mid-body": /tools\/call 200 application\/json \{"jsonrpc":"2\.0","id":$/,
  "comments-for-ever": streamed(/(: keepalive⏎⏎){3}/),

  // sizes
  "forty-megabyte-answer": /"id":3,"result".*…\(40\d{6}\)…x+"\}\]/s,
  "gzip-bomb": /tools\/call 200 application\/json .*…\(64\d{6}\)…/s,
  "endless-line": /\+ unfinished 20000000/,
  "endless-event": /data: x{50}.*…\(20\d{6}\)…x+(\n|$)/s,
  "notification-flood": {
    seen: {
      http: /still here.*…\(2\d{6}\)….*"text":"hello"/s,
      sse: /still here.*…\(2\d{6}\)….*"text":"hello"/s,
      else: /still here"\}\} ×20000\n.*"id":3,"result"/s,
    },
  },
  "deeply-nested-answer": /"deep":\[{50}.*…\(4\d{4}\)…\]{50,}\}\}/s,

  // sessions
  "session-404":
    /tools\/list 404 [^\n]*"id":null[^\n]*unknown session.*tools\/list 200 [^\n]*echo/s,
  "session-404-on-call": /tools\/list 200 .*tools\/call 404 [^\n]*unknown session/s,
  "session-404-for-ever": /tools\/list 404 .*initialize 200 .*tools\/list 404 /s,
  "session-400": /tools\/list 400 [^\n]*session id is not valid.*tools\/list 200 /s,
  "session-demanded-never-given":
    /initialize 200 application\/json \{.*notifications\/initialized 400 [^\n]*session header/s,
  "illegal-session-id": /initialize 200 application\/json session=S 1 /,
  "session-id-on-other-answers": /notifications\/initialized 202 - session=S9 .*tools\/list 404/s,
  "delete-405": /session=S1 .*DELETE 405/s,
  "delete-hangs": /> bodiless DELETE$/,

  // listening
  "get-400": listened(/GET 400 /),
  "get-401": listened(/GET 401 /),
  "get-404": listened(/GET 404 /),
  "get-405": listened(/GET 405 /),
  "get-500": listened(/GET 500 /),
  "get-501": listened(/GET 501 /),
  "get-html": listened(/GET 200 text\/html <!doctype/),
  "get-redirected": listened(/GET 302 - → http:\/\/localhost:9\//),
  "get-hangs": { listens: true, seen: /^(?!.*\nGET ).*> bodiless GET.*tools\/list 200 /s },
  "get-ends-at-once": listened(/GET 200 text\/event-stream {2}¶end/),
  "get-cut-at-once": listened(/GET 200 text\/event-stream : hello⏎⏎ ¶cut/),

  // streams
  "stream-ends-without-answer": streamed(/: working⏎⏎ ¶end/),
  "stream-cut-without-id": streamed(/: working⏎⏎ ¶cut/),
  "stream-ends-inside-event": streamed(/data: \{[^⏎]*"hello"[^⏎]*\}⏎ ¶end/),
  "stream-cut-then-resumed": streamed(/id: 3⏎data: ⏎⏎ ¶cut.*GET 3 200 [^\n]*"id":3,"result"/),
  "resumption-refused": streamed(/id: 3⏎data: ⏎⏎ ¶cut.*GET 3 405 /),
  "resumption-replays": streamed(/id: 3⏎[^\n]*¶cut.*GET 3 200 [^\n]*the first[^\n]*the second/),
  "polling-server": streamed(
    /id: 3⏎retry: 500⏎data: ⏎⏎ ¶end.*GET 3 200 text\/event-stream {2}¶end.*GET 3 200 [^\n]*hello/,
  ),
  "stream-stays-open-after-answer": streamed(/data: [^\n]*hello[^\n]*⏎⏎$/),
  "sse-carriage-returns": streamed(/event: message␍data: [^⏎]*hello[^⏎]*␍␍ ¶end/),
  "sse-mixed-line-ends": streamed(/: hi␍⏎event: message⏎data: [^⏎]*hello[^⏎]*␍⏎␍⏎ ¶end/),
  "sse-multi-line-data": streamed(/data: \{⏎data: "jsonrpc": "2\.0",⏎data: "id":⏎data: 3,⏎/),
  "sse-byte-order-mark": streamed(/⟨BOM⟩data: [^⏎]*hello/),
  "sse-foreign-events": streamed(/id: 42⏎data: ⏎⏎: keepalive⏎⏎event: ping⏎data: 2025.*hello/),
  "sse-data-is-no-json": streamed(/data: working on it…⏎⏎data: .*hello/),
  "sse-split-character": streamed(/data: [^\n]*"text":"读"/),

  // statuses
  "gateway-page": /tools\/call 502 text\/html <html>/,
  "error-with-status-500": /tools\/call 500 application\/json .*"id":3,"error":\{"code":-32603/,
  "error-with-foreign-id": /tools\/call 406 application\/json .*"id":"server-error"/,
  "too-many-requests": /tools\/call 429 /,
  "request-too-large": /tools\/call 413 /,
  "accepted-with-202": /tools\/call 202 - {2}¶end/,
  "accepted-with-204": /tools\/call 204 - {2}¶end/,
  "empty-body": /tools\/call 200 application\/json {2}¶end/,
  "half-a-body": /tools\/call 200 application\/json \{[^\n]*"te ¶end/,
  "reset-before-answer": /> request tools\/call\n(> disconnect\n)?POST tools\/call failed UND_ERR/,
  "redirect-307": /POST \S+ 307 - → \/mcp /,
  "redirect-301": /POST \S+ 301 - → \/mcp /,
  "redirect-cross-origin": /POST \S+ 307 - → http:\/\/localhost:9\/mcp /,
  "redirect-loop": /POST \S+ 308 - → \/old /,
  "html-page": /POST \S+ 200 text\/html <!doctype/,
  unauthorized: /POST \S+ 401 text\/plain/,
  forbidden: /POST \S+ 403 application\/json \{"jsonrpc":"2\.0","error"/,
  "not-found": /POST \S+ 404 text\/plain Not Found/,

  // headers
  "no-content-type": /tools\/call 200 - .*hello/,
  "plain-text-json": /tools\/call 200 text\/plain .*hello/,
  "shouted-content-type": /tools\/call 200 Application\/JSON; Charset=UTF-8 .*hello/,
  "doubled-content-type": /tools\/call 200 application\/json, application\/json .*hello/,
  "html-called-json": /tools\/call 200 text\/html \{.*hello/,
  "json-called-event-stream": streamed(/\{[^⏎]*hello[^⏎]* ¶end/),
  "event-stream-called-json": /tools\/call 200 application\/json data: .*hello.*⏎⏎ ¶end/,
  "body-shorter-than-announced": /tools\/call 200 application\/json \{.*hello.* ¶cut/,
  "header-flood": /tools\/call failed UND_ERR_HEADERS_OVERFLOW/,

  // framing
  "banner-on-stdout": /< == Scripted Server 1\.0 ==\n.*"id":1,"result"/s,
  "noise-around-answers":
    /< calling backend\n< status=200\n< headers \{\n< {3}'x': 1\n< \}\n< \{[^\n]*"id":3/,
  "json-log-on-stdout": /< \{"level":"info"[^\n]*\n< "a text"\n< 42\n< null\n< \{[^\n]*"id":3/,
  "crlf-lines": /"id":1,"result":[^\n]*\}␍/,
  "byte-order-mark": /< ⟨BOM⟩\{"jsonrpc"[^\n]*"id":1,"result"/,
  "content-length-framing": /< Content-Length: \d+␍\n< ␍\n\+ unfinished \{[^\n]*"id":1,"result"/,
  "pretty-printed": /< \{\n< {3}"jsonrpc": "2\.0",\n< {3}"id": 1,\n/,
  "missing-line-end": /\+ unfinished \{[^\n]*"id":1,"result"[^\n]*\}\}$/,
  "two-messages-on-a-line": /"data":""\}\}\{"jsonrpc":"2\.0","id":3/,
  "split-character": /\n< [^\n]*"id":3,[^\n]*—🙂/,
  "invalid-utf-8": /"id":3,[^\n]*"text":"\uFFFD"/,

  // processes
  "exits-with-stderr": /stderr: Error: API_KEY is not set⏎\nexit 1 null/,
  "secret-on-stderr": /stderr: Authorization: Bearer ghp_[^\n]*\nexit 1 null/,
  "exits-silently": /^(?!.*(stderr|<)).*exit 3 null/s,
  "exits-with-zero": /< usage: server.*exit 0 null/s,
  "killed-at-start": /exit null SIGKILL/,
  "dies-mid-call": /> request tools\/call\nexit null SIGKILL/,
  "dies-mid-line": /< unfinished \{"jsonrpc":"2\.0","id":3,[^\n]*"ty\nexit 1 null/,
  "dies-after-handshake": /"id":1,"result".*exit 0 null/s,
  "dies-while-idle": {
    seen: /"id":2,"result".*stderr: FATAL ERROR: out of memory⏎\nexit 1 null/s,
    takes: 500,
  },
  "one-answer-then-deaf": /"id":2,"result"[^\n]*$/,
  "ignores-end-of-input": { ladder: true, seen: /> end\n> signal SIGTERM\nexit null SIGTERM/ },
  "ignores-sigterm": {
    ladder: true,
    seen: /> end\n> signal SIGTERM\n(> disconnect\n)?exit null SIGKILL/,
  },
  "stderr-flood": /^(?=.*stderr: x{100,}.*…\(104\d{5}\)…)(?=.*"id":3,"result")/s,
  "slow-start": { seen: /stderr: npm install: 1 of 6.*6 of 6.*"id":1,"result"/s, takes: 3_000 },

  // HTTP+SSE
  "sse-endpoint-cross-origin": /event: endpoint⏎data: http:\/\/localhost:9\/messages⏎⏎/,
  "sse-endpoint-is-a-script": /event: endpoint⏎data: javascript:alert\(1\)⏎⏎/,
  "sse-prefix-lost": /^(?=.*POST initialize 404 )(?=.*POST tools\/list again 202 )(?=.*"echo")/s,
  "sse-no-endpoint": /GET 200 text\/event-stream : welcome⏎⏎$/,
  "sse-late-endpoint": {
    seen: /: welcome⏎⏎event: endpoint⏎data: \/messages⏎⏎.*"echo"/s,
    takes: 1_000,
  },
  "sse-second-endpoint": /"id":1,"result".*event: endpoint⏎data: http:\/\/localhost:9\/messages⏎⏎/s,
  "sse-stream-cut": /^(?!.*"id":3,).*GET 200 [^\n]* ¶cut.*> request tools\/call/s,
  "sse-stream-ends": /^(?!.*"id":3,).*GET 200 [^\n]* ¶end.*> request tools\/call/s,
  "sse-post-refused": /tools\/call 400 text\/plain Could not find session/,
  "sse-post-hangs": {
    silentAt: "tools/call",
    seen: /^(?!.*"id":3,)(?!.*POST tools\/call).*"id":4,"result"/s,
  },
  "sse-answer-in-post": /tools\/call 200 application\/json .*"id":3,"result"/,
  "sse-get-405": /GET 405 /,

  // WebSocket
  "ws-binary-frame": /< binary AAECAwT\/\n< [^\n]*"id":3,"result"/,
  "ws-split-character": /"id":3,"result":[^\n]*"—"/,
  "ws-text-is-no-json": /< hello\?\n< [^\n]*"id":3,"result"/,
  "ws-1006-mid-call": /> request tools\/call\nclosed 1006/,
  "ws-1011-mid-call": /> request tools\/call\nclosed 1011 shard is restarting/,
  "ws-1008-instead-of-ready": /> request initialize\nclosed 1008 token expired/,
  "ws-no-subprotocol": /failed Server sent no subprotocol/,
  "ws-other-subprotocol": /failed Server sent an invalid subprotocol/,
  "ws-upgrade-401": /failed Unexpected server response: 401/,
  "ws-upgrade-answered-with-page": /failed Unexpected server response: 200/,
  "ws-upgrade-hangs": /^> open$/,
  "ws-speaks-first": /open mcp\n< [^\n]*list_changed/,
  "ws-freezes": /"id":1,"result"[^\n]*$/,
}
