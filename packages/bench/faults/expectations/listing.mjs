// The groups pagination, lists and listening.
import {
  canCall,
  connects,
  delivers,
  deliversSome,
  incomplete,
  listFails,
  lists,
  notes,
  received,
  says,
  sends,
  shows,
  someNote,
  stays,
} from "../checks.mjs"

const nothingSetAside = shows("sets nothing aside", ({ list }) => (list?.value?.aside ?? 0) === 0)

const first = (label, test) => shows(label, ({ list }) => test(list?.value?.first ?? {}))

const gets = (arrivals) => arrivals.filter(({ httpMethod }) => httpMethod === "GET")

const refused = [connects(), lists("echo"), notes("listening-unsupported")]

/** Ever more rarely: no pause is much shorter than the one before. */
const rarer = received("opens the stream ever more rarely", (arrivals) => {
  const times = gets(arrivals).map(({ at }) => at)
  const pauses = times.slice(1).map((at, index) => at - times[index])
  return (
    times.length <= 6 && pauses.every((ms, index) => index === 0 || ms >= pauses[index - 1] * 0.7)
  )
})

export const listing = {
  "endless-cursors": [incomplete, deliversSome],
  "same-cursor-forever": [
    incomplete,
    delivers("echo", "b", "c", "d", "e", "f", "g", "h"),
    sends("tools/list", 2),
    says(/cursor/i, "that it is the cursor"),
  ],
  "cursors-in-a-circle": [incomplete, delivers("echo", "b", "c")],
  "empty-cursor": [lists("echo", "second")],
  "empty-cursor-forever": [lists("echo"), sends("tools/list", 2), notes("empty-cursor-repeated")],
  "null-cursor": [lists("echo")],
  "empty-page-between": [lists("echo", "last")],
  "cursor-expired": [incomplete, sends("tools/list", 2, 12), says(/-32602|cursor/i, "why")],
  "second-page-fails": [
    incomplete,
    delivers("echo"),
    says(/-32603|The database went away/, "the server's error"),
  ],
  "second-page-never-comes": [
    incomplete,
    delivers("echo"),
    says(/time|answer/i, "that no answer came"),
  ],

  "bad-input-schema": [
    delivers("echo", "last"),
    says(/bad[\s\S]*inputSchema|inputSchema[\s\S]*bad/, "which tool and why"),
  ],
  "input-schema-without-type": [delivers("echo"), says(/inputSchema\/type/, "/inputSchema/type")],
  "null-title": [lists("echo"), nothingSetAside, notes("null-is-absent")],
  "empty-array-as-object": [lists("echo", "second"), nothingSetAside, someNote],
  "tool-without-name": [delivers("echo"), says(/"index":0|\b0\b/, "its index")],
  "duplicate-tool": [
    lists("echo"),
    first("keeps the first", ({ description }) => description === "the first"),
    someNote,
  ],
  "bad-output-schema": [lists("echo"), canCall, someNote],
  "remote-schema-reference": [lists("echo")],
  "prototype-members": [
    lists("echo"),
    shows("changes no other object", ({ polluted }) => !polluted),
  ],
  "terminal-escapes": [
    lists("echo"),
    first("delivers it as it came", ({ title }) => title === "\u001b[2J\u001b[31mTrust me\u0007"),
  ],
  "tools-is-an-object": [listFails, says(/\/?tools/, "/tools"), stays],
  "list-without-tools": [listFails, stays],
  "unadvertised-tools": [
    connects(),
    sends("tools/list", 0),
    { ...listFails, kind: "says", label: "says that tools are unsupported" },
  ],
  "advertised-but-unimplemented": [
    connects(),
    listFails,
    says(/-32601/, "the code"),
    says(/advertised|declared/, "that it was advertised"),
  ],
  "list-changes-while-read": [
    connects(),
    shows("reads the list", ({ list }) => list?.outcome === "ok"),
    sends("tools/list", 1, 12),
    notes("changed-while-listing"),
  ],
  "bad-header-annotation": ({ over }) =>
    over === "http" ? [delivers("echo"), says(/bad/, "which tool")] : [delivers("echo", "bad")],

  ...Object.fromEntries(
    ["400", "401", "404", "405", "501", "html", "redirected"].map((name) => [
      `get-${name}`,
      refused,
    ]),
  ),
  "get-500": [
    connects(),
    lists("echo"),
    received("retries once", (arrivals) => gets(arrivals).length <= 2),
  ],
  "get-hangs": [connects(), lists("echo")],
  "get-ends-at-once": [connects(), lists("echo"), rarer],
  "get-cut-at-once": [connects(), lists("echo"), rarer],
}
